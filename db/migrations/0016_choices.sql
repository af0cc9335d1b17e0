-- All that addresses and others have said about mail of a brand, or of all brands: one row for each kind and scope. What kinds
-- and values mean is listed in the contract (rules/choices.ts), and decided by `subscription_state` and `is_tracked` alone.
create table choices (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- The normalized address: lower case, domain in ASCII.
  address_key text not null,
  -- Null for all brands.
  brand_id uuid check (brand_id is not null or kind = 'suppression'),
  kind text not null check (kind in ('suppression', 'topic', 'pause', 'tracking')),
  topic_id uuid check ((topic_id is not null) = (kind = 'topic')),
  value text not null check (
    value in ('bounce', 'complaint', 'unsubscribe', 'manual', 'subscribed', 'not_subscribed', 'paused', 'allowed', 'refused')
  ),
  until timestamptz check ((until is not null) = (kind = 'pause')),
  -- How a choice of a recipient came in. Null for a suppression, whose origin the next columns tell.
  source text check (source in ('preferences', 'sign_up', 'member')),
  -- The message whose link was used, or that caused it.
  send_id uuid,
  seq integer,
  -- Where no message tells it: who entered it, which import, and what was said. Of a choice that a member enters: its basis.
  created_by uuid references users (id) on delete set null,
  import_id uuid,
  note text,
  -- When an imported opt-out was recorded elsewhere. `changed_at` stays the time of the import, because running sends look for
  -- what is new by it.
  occurred_at timestamptz,
  changed_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique nulls not distinct (organization_id, address_key, kind, brand_id, topic_id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade,
  foreign key (organization_id, brand_id, topic_id) references topics (organization_id, brand_id, id) on delete cascade,
  check ((kind = 'suppression') = (value in ('bounce', 'complaint', 'unsubscribe', 'manual'))),
  check ((kind = 'topic') = (value in ('subscribed', 'not_subscribed'))),
  check ((kind = 'pause') = (value = 'paused')),
  check ((kind = 'suppression') = (source is null))
);
-- For lists and lifts in order of entry; running sends look for new ones by its beginning.
create index on choices (organization_id, kind, changed_at, id);
-- What a message has caused.
create index on choices (organization_id, send_id, changed_at) where send_id is not null;
create index on choices (organization_id, topic_id) where topic_id is not null;
-- For the deletion of a brand.
create index on choices (organization_id, brand_id) where brand_id is not null;
-- To find what names an account that is deleted.
create index on choices (created_by) where created_by is not null;

insert into choices (organization_id, id, address_key, brand_id, kind, value, send_id, seq, created_by, import_id, note, occurred_at, changed_at)
select organization_id, id, address_key, brand_id, 'suppression', reason, send_id, seq, created_by, import_id, note, occurred_at, created_at
from suppressions;
insert into choices (organization_id, address_key, brand_id, kind, topic_id, value, source, send_id, seq, created_by, note, changed_at)
select organization_id, address_key, brand_id, 'topic', topic_id, case when is_subscribed then 'subscribed' else 'not_subscribed' end,
  source, send_id, seq, created_by, basis, changed_at
from topic_choices;
insert into choices (organization_id, address_key, brand_id, kind, value, until, source, send_id, seq, created_by, changed_at)
select organization_id, address_key, brand_id, 'pause', 'paused', until, source, send_id, seq, created_by, changed_at
from pauses;
insert into choices (organization_id, address_key, brand_id, kind, value, source, send_id, seq, created_by, changed_at)
select organization_id, address_key, brand_id, 'tracking', case when is_allowed then 'allowed' else 'refused' end, source, send_id, seq,
  created_by, changed_at
from tracking_choices;

drop table suppressions, topic_choices, pauses, tracking_choices;
