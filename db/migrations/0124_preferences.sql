-- What emails of a brand are about. Recipients choose by topic: `content/consent`.
create table topics (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  brand_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  description text not null default '' check (char_length(description) <= 500),
  -- Whether addresses that have chosen nothing get its emails.
  is_default boolean not null,
  -- From 1, within the brand.
  position integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, brand_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on topics (id);
create unique index topics_name_taken on topics (organization_id, brand_id, lower(name));

-- The topic of an email; null: its emails go to all who get mail of the brand.
alter table touchpoint_emails add column topic_id uuid;
alter table touchpoint_emails add foreign key (organization_id, topic_id) references topics (organization_id, id) on delete restrict;
create index on touchpoint_emails (organization_id, topic_id) where topic_id is not null;
-- As it was confirmed; a topic of a send is not deleted while the send is open.
alter table touchpoint_sends add column topic_id uuid;

-- What recipients chose, by address, beside `suppressions`; `send_id` and `seq` tell the message whose link they used.
-- Running sends look for what changed by `changed_at`.
create table topic_choices (
  organization_id uuid not null references organizations (id) on delete cascade,
  -- The normalized address: lower case, domain in ASCII.
  address_key text not null,
  brand_id uuid not null,
  topic_id uuid not null,
  is_subscribed boolean not null,
  source text not null check (source in ('preferences', 'sign_up', 'member')),
  send_id uuid,
  seq integer,
  created_by uuid references users (id) on delete set null,
  changed_at timestamptz not null default now(),
  primary key (organization_id, address_key, topic_id),
  foreign key (organization_id, brand_id, topic_id) references topics (organization_id, brand_id, id) on delete cascade
);
create index on topic_choices (organization_id, topic_id);
create index on topic_choices (organization_id, changed_at);
create index on topic_choices (created_by) where created_by is not null;

-- Addresses that get no email of a brand until a time.
create table pauses (
  organization_id uuid not null references organizations (id) on delete cascade,
  address_key text not null,
  brand_id uuid not null,
  until timestamptz not null,
  source text not null check (source in ('preferences', 'sign_up', 'member')),
  send_id uuid,
  seq integer,
  created_by uuid references users (id) on delete set null,
  changed_at timestamptz not null default now(),
  primary key (organization_id, address_key, brand_id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on pauses (organization_id, changed_at);
create index on pauses (organization_id, brand_id);
create index on pauses (created_by) where created_by is not null;

-- Whether opens and clicks of an address may be measured in emails of a brand.
create table tracking_choices (
  organization_id uuid not null references organizations (id) on delete cascade,
  address_key text not null,
  brand_id uuid not null,
  is_allowed boolean not null,
  source text not null check (source in ('preferences', 'sign_up', 'member')),
  send_id uuid,
  seq integer,
  created_by uuid references users (id) on delete set null,
  changed_at timestamptz not null default now(),
  primary key (organization_id, address_key, brand_id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on tracking_choices (organization_id, changed_at);
create index on tracking_choices (organization_id, brand_id);
create index on tracking_choices (created_by) where created_by is not null;
