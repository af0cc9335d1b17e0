-- Whether the address of a contact is valid and used as it stands, as nearly all are: judged when the contact is written, so that
-- audiences need not judge it again. The expression is the rule of email/addresses/address.ts.
alter table content_items
  add column has_ordinary_email boolean not null generated always as (
    coalesce(
      octet_length(data ->> 'email') < 66
        and data ->> 'email' ~ '^[a-z0-9_+-]+(?:[.][a-z0-9_+-]+)*@(?:[a-z0-9]+[.-])*[a-z0-9]+[.][a-z][a-z]+$',
      false
    )
  ) stored;
