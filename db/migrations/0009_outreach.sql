create table filters (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  brand_id uuid,
  name text not null check (char_length(name) between 1 and 120),
  is_active boolean not null default true,
  collection text not null,
  rule jsonb not null,
  field_mapping jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  client_id uuid,
  primary key (organization_id, id),
  check (brand_id is null or client_id is not null),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade,
  foreign key (organization_id, client_id, brand_id) references brands (organization_id, client_id, id) on delete cascade
);
create index on filters (id);
create unique index filters_name_taken on filters (organization_id, lower(name));
create index on filters (organization_id, client_id, brand_id) where client_id is not null;

create table campaigns (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  brand_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  status text not null default 'draft'
    check (status in ('draft', 'scheduled', 'running', 'paused', 'completed', 'archived')),
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on campaigns (id);
create index on campaigns (organization_id, brand_id);
create index on campaigns (organization_id, updated_at desc);
create index on campaigns (deleted_at) where deleted;

create table touchpoints (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  campaign_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  type text not null check (type in ('email', 'website')),
  status text not null default 'draft'
    check (status in ('draft', 'scheduled', 'sending', 'sent', 'active', 'paused', 'archived')),
  -- The content collection whose items are merged into the template.
  collection text,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade
);
create index on touchpoints (id);
create index on touchpoints (organization_id, campaign_id);
create index on touchpoints (organization_id, created_at desc);
create index on touchpoints (deleted_at) where deleted;

-- What a channel keeps of its touchpoints, beside `touchpoints` itself: one table for each channel.
create table touchpoint_emails (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  touchpoint_id uuid not null,
  filter_id uuid,
  -- An item of reachout_templates in the content backend, which may be the customer's own: no foreign key.
  template_id uuid,
  subject text not null default '',
  preheader text not null default '',
  from_name text not null default '',
  from_email text not null default '',
  reply_to text,
  updated_at timestamptz not null default now(),
  -- The MJML source. template_id is what it began from.
  mjml text not null default '' check (octet_length(mjml) <= 1000000),
  -- item_id: the content item that is merged into the email. items_count: how many of the newest items are. Both are of the
  -- collection of the touchpoint. The items may be in a Directus, so that no foreign key can refer to them.
  item_id text,
  items_count integer not null default 0 check (items_count between 0 and 20),
  -- The topic of an email; null: its emails go to all who get mail of the brand.
  topic_id uuid,
  primary key (organization_id, id),
  unique (organization_id, touchpoint_id),
  foreign key (organization_id, touchpoint_id) references touchpoints (organization_id, id) on delete cascade,
  foreign key (organization_id, filter_id) references filters (organization_id, id) on delete restrict,
  foreign key (organization_id, topic_id) references topics (organization_id, id) on delete restrict
);
create index on touchpoint_emails (organization_id, filter_id);
create index on touchpoint_emails (organization_id, topic_id) where topic_id is not null;

create table touchpoint_websites (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  touchpoint_id uuid not null,
  -- Lower case, with a port if it is not the default one. Events of pages on other hosts are dropped.
  hosts text[] not null default '{}' check (cardinality(hosts) <= 20),
  -- Public: it is in the pages of the site, and only adds events to this website.
  token text not null check (token ~ '^[\w-]{32,64}$'),
  token_rotated_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, touchpoint_id),
  foreign key (organization_id, touchpoint_id) references touchpoints (organization_id, id) on delete cascade
);
-- Websites are found by their id alone, which each request of a tracking client names.
create index on touchpoint_websites (id);

-- When an email is sent. The content of each send is fixed with the send (`touchpoint_send_contents`); the send that comes next
-- exists already, `queued` or `held`, and starting it adds the one after it.
create table touchpoint_schedules (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  touchpoint_id uuid not null,
  brand_id uuid not null,
  -- `item_id`: the content item that is sent.
  schedule_content jsonb not null default '{}',
  -- The first occurrence.
  start_date timestamptz not null,
  -- IANA name; repetitions keep the local time of this zone.
  time_zone text not null,
  -- Recurrence rule (RFC 5545) without DTSTART; null: once.
  rrule text,
  -- Whether a send is to come. False also while it is paused.
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When the messages of a send start, beside the date of its schedule. `delivery_chunks.not_before` has the outcome.
  -- The local time of the schedule in the zone of each contact; without a valid one, in that of the schedule.
  contact_time_zones boolean not null default false,
  -- The messages are spread evenly over so many minutes.
  spread_minutes integer check (spread_minutes between 1 and 10080),
  -- Messages start only within these hours of each day, which end on the next one if the end is earlier.
  window_start time,
  window_end time,
  -- The times with which a content item was added to the queue of its email, as {start_date, time_zone, rrule}: `start_date` of the
  -- schedule is one of them, unless it was moved. Null: it was not added to a queue.
  slots jsonb,
  primary key (organization_id, id),
  foreign key (organization_id, touchpoint_id) references touchpoints (organization_id, id) on delete cascade,
  constraint touchpoint_schedules_window_check check (
    (window_start is null) = (window_end is null) and (window_start is null or window_start <> window_end))
);
create index on touchpoint_schedules (id);
create index on touchpoint_schedules (organization_id, touchpoint_id, is_active, start_date);

-- Events of a website that count as conversions: docs/statistics.md, "Conversions". A change holds for later events.
create table conversion_goals (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  touchpoint_id uuid not null,
  -- The name of a TRACK event.
  event text not null check (char_length(event) between 1 and 255),
  -- Of one conversion, unless the event has its own.
  value numeric(12, 2) check (value >= 0),
  -- A message gets the conversion if its link was followed at most this long before.
  window_days integer not null check (window_days between 1 and 90),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, touchpoint_id, event),
  foreign key (organization_id, touchpoint_id) references touchpoints (organization_id, id) on delete cascade
);
