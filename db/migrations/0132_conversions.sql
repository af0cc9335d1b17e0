-- What organizations state values of conversions in: ISO 4217.
alter table organizations add column currency text not null default 'EUR' check (currency ~ '^[A-Z]{3}$');

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

-- Events that counted as a conversion, and the message that gets it, if any. Without foreign keys, like all tables of events.
create table conversions (
  organization_id uuid not null,
  -- The website.
  touchpoint_id uuid not null,
  event_id uuid not null,
  goal_id uuid not null,
  at timestamptz not null,
  window_days integer not null,
  value numeric(12, 2),
  -- Null once the event of the visitor is no longer kept.
  visitor_id uuid,
  email_touchpoint_id uuid,
  send_id uuid,
  seq integer,
  primary key (organization_id, touchpoint_id, event_id),
  check ((send_id is null) = (seq is null) and (send_id is null) = (email_touchpoint_id is null))
);
create index conversions_of_website on conversions (organization_id, touchpoint_id, at) include (goal_id, value, send_id);
create index conversions_of_visitor on conversions (organization_id, touchpoint_id, visitor_id, at) where visitor_id is not null;
create index conversions_of_email on conversions (organization_id, email_touchpoint_id, send_id, seq, at) include (goal_id, value)
  where send_id is not null;
create index conversions_of_goal on conversions (organization_id, goal_id);

-- When a visitor followed the link of a message: what conversions are attributed by. Kept for the longest window.
create table followed_links (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  visitor_id uuid not null,
  at timestamptz not null,
  send_id uuid not null,
  seq integer not null,
  email_touchpoint_id uuid not null,
  primary key (organization_id, touchpoint_id, visitor_id, at)
);
create index followed_links_of_message on followed_links (organization_id, send_id, seq);
create index followed_links_by_time on followed_links (organization_id, at);

-- A message is visited when its link led a person to a tracked website.
alter table events drop constraint events_type_check;
alter table events add constraint events_type_check
  check (type in ('SEND_EMAIL', 'OPEN_EMAIL', 'CLICK', 'VISIT', 'BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE'));
