-- Addresses that begin with a hyphen are no longer ordinary: the expression is the rule of email/addresses/address.ts.
alter table content_items drop column has_ordinary_email;
alter table content_items
  add column has_ordinary_email boolean not null generated always as (
    coalesce(
      octet_length(data ->> 'email') < 66
        and data ->> 'email' ~ '^[a-z0-9_+][a-z0-9_+-]*(?:[.][a-z0-9_+-]+)*@(?:[a-z0-9]+[.-])*[a-z0-9]+[.][a-z][a-z]+$',
      false
    )
  ) stored;
