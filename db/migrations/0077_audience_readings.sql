-- What was read of the contacts of an audience whose content backend is elsewhere: for the numbers of a rule, or for a send.
create table audience_readings (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  -- Whose audience it is; null where people look at the numbers of a rule.
  send_id uuid,
  -- The content backend: the one that is connected later may be another.
  endpoint text not null check (char_length(endpoint) between 1 and 500),
  collection text not null check (collection ~ '^[a-z][a-z0-9_]{0,62}$'),
  rule jsonb not null,
  fields text[] not null check (cardinality(fields) between 1 and 501),
  -- Of endpoint, collection and rule: whoever asks for the same sees the same numbers.
  rule_hash text not null check (char_length(rule_hash) = 64),
  -- `over`: nobody needs its contacts any more, and they are being deleted.
  state text not null default 'reading' check (state in ('reading', 'ready', 'failed', 'over')),
  -- How far it is. A pass reads all pages from the first to the last.
  pass integer not null default 1,
  -- How many there were when the pass began; null before that was asked.
  expected_count bigint,
  page_count integer not null default 0,
  next_offset bigint not null default 0,
  last_key text check (char_length(last_key) <= 64),
  -- Contacts of this pass, and of all.
  seen_count bigint not null default 0,
  contact_count bigint not null default 0,
  byte_count bigint not null default 0,
  -- Why it failed, or why it waits for its next attempt: a class, and the words of the backend.
  failure text check (char_length(failure) <= 40),
  error_content text check (char_length(error_content) <= 500),
  began_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, send_id) references touchpoint_sends (organization_id, id) on delete cascade,
  check ((state = 'reading') = (ended_at is null))
);
-- A send has one audience.
create unique index on audience_readings (organization_id, send_id) where send_id is not null;
create index on audience_readings (organization_id, rule_hash, began_at);

create table audience_reading_contacts (
  organization_id uuid not null references organizations (id) on delete cascade,
  reading_id uuid not null,
  id text not null check (char_length(id) <= 64),
  -- The last pass that has seen it.
  pass integer not null,
  data jsonb not null,
  primary key (organization_id, reading_id, id),
  foreign key (organization_id, reading_id) references audience_readings (organization_id, id) on delete cascade
);
