-- The event graph (docs/event-graph.md): touchpoints that react to events of others, and to what is known of people.

-- Lists that everybody shares; db/reference/ fills them.
create table touchpoint_event_types (
  touchpoint_type text not null check (touchpoint_type in ('email', 'website')),
  event_type text not null,
  primary key (touchpoint_type, event_type)
);
create table touchpoint_event_actions (
  id uuid primary key,
  name text not null check (name in ('send_email', 'stop_email', 'start_tracking', 'stop_tracking')),
  -- Null for what begins with a person.
  notifier_touchpoint_type text check (notifier_touchpoint_type in ('email', 'website')),
  listener_touchpoint_type text not null check (listener_touchpoint_type in ('email', 'website')),
  unique nulls not distinct (name, notifier_touchpoint_type, listener_touchpoint_type)
);

create table touchpoint_events (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  -- In whose graph it is shown.
  campaign_id uuid not null,
  event_type text not null check (event_type in ('SEND_EMAIL', 'OPEN_EMAIL', 'CLICK', 'VISIT', 'BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE',
    'IDENTIFY', 'TRACK', 'VIEW_PAGE', 'SIGN_UP', 'ADD_CONTACT', 'CHANGE_FIELD', 'REACH_DATE')),
  -- A pattern of links or paths, the name of a custom event, or a field of contacts; null: any.
  event text check (char_length(event) <= 500),
  is_active boolean not null default false,
  notifier_touchpoint_id uuid,
  touchpoint_event_action_id uuid not null references touchpoint_event_actions (id) on delete restrict,
  form_id uuid,
  collection text,
  -- The new value of a field.
  value text check (char_length(value) <= 500),
  -- From the date in a field.
  days integer,
  is_yearly boolean not null default false,
  -- What the event comes from: the touchpoint, the form or the collection.
  source text generated always as (coalesce(notifier_touchpoint_id::text, form_id::text, collection)) stored,
  -- The last day on which dates were looked up.
  looked_up_until date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade,
  foreign key (organization_id, notifier_touchpoint_id) references touchpoints (organization_id, id) on delete cascade,
  foreign key (organization_id, form_id) references sign_up_forms (organization_id, id) on delete cascade,
  check (num_nonnulls(notifier_touchpoint_id, form_id, collection) = 1)
);
create index on touchpoint_events (id);
create index on touchpoint_events (organization_id, campaign_id);
create index on touchpoint_events (organization_id, source);
create index on touchpoint_events (event_type) where event_type = 'REACH_DATE';
create index on touchpoint_events (organization_id, form_id) where form_id is not null;
create index on touchpoint_events (organization_id, notifier_touchpoint_id) where notifier_touchpoint_id is not null;

create table touchpoint_event_listeners (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  touchpoint_event_id uuid not null,
  listener_touchpoint_id uuid not null,
  -- ISO 8601, from the event on.
  delay text not null default 'PT0S' check (char_length(delay) <= 60),
  -- `Unless` of the contract: an event that makes the reaction void.
  unless jsonb,
  once_per_contact boolean not null default true,
  quiet_hours boolean not null default true,
  -- Reactions that were not made, because too many of the organization were waiting.
  dropped_count bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, touchpoint_event_id) references touchpoint_events (organization_id, id) on delete cascade,
  foreign key (organization_id, listener_touchpoint_id) references touchpoints (organization_id, id) on delete cascade
);
create index on touchpoint_event_listeners (organization_id, touchpoint_event_id);
create index on touchpoint_event_listeners (organization_id, listener_touchpoint_id);

-- What events cause, until it is due and afterwards. Rows of listeners that are deleted stay, and say why a contact got a message.
create table reactions (
  organization_id uuid not null,
  -- A hash of listener, contact and cause, so that each is there once (`reactions_to`).
  id uuid not null,
  touchpoint_event_id uuid not null,
  listener_id uuid not null,
  touchpoint_id uuid not null,
  action text not null check (action in ('send_email', 'stop_email', 'start_tracking', 'stop_tracking')),
  brand_id uuid not null,
  -- Empty: the contact is known by its address alone.
  collection text not null,
  contact_id text not null,
  cause_type text not null,
  cause_at timestamptz not null,
  cause_touchpoint_id uuid,
  cause_send_id uuid,
  cause_seq integer,
  cause_link_no integer,
  visitor_id uuid,
  -- The address of the link, the path of the page, the name of the event, or the field.
  cause_detail text,
  -- 'infinity' while its event is switched off.
  due_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'done', 'skipped', 'cancelled')),
  reason text check (reason in ('no_address', 'invalid_address', 'duplicate_address', 'unsubscribed', 'suppressed', 'not_subscribed',
    'paused', 'no_contact', 'foreign_contacts', 'unless', 'contact_limit', 'too_late', 'stopped', 'bot', 'cancelled_by_member',
    'listener_deleted')),
  ended_at timestamptz,
  send_id uuid,
  seq integer,
  -- Of the Directus that the contact was in then; null: here.
  endpoint text,
  primary key (organization_id, id),
  check ((reason is not null) = (state in ('skipped', 'cancelled'))),
  check ((send_id is not null) = (state = 'sent') or state = 'cancelled'),
  check ((ended_at is null) = (state = 'waiting'))
);
create index reactions_due on reactions (organization_id, touchpoint_id, action, due_at) where state = 'waiting';
create index on reactions (organization_id, contact_id, listener_id);
-- For the numbers of a listener, the page of a touchpoint, and its erasure.
create index on reactions (organization_id, touchpoint_id, listener_id, state);
create index on reactions (organization_id, send_id, seq) where send_id is not null;

-- The collection of a single message to a contact; null for one to an address.
alter table messages add column collection text;

-- An event that counts, and that touchpoints may react to: the argument of `add_reactions`.
create type cause as (
  organization_id uuid,
  type text,
  -- The touchpoint, the form or the collection, as text.
  source text,
  -- Only for this event; null: for all that match.
  touchpoint_event_id uuid,
  -- Tells the causes of a listener and contact apart.
  key text,
  at timestamptz,
  -- Of a message, whether it is the first of its type.
  is_first boolean,
  send_id uuid,
  seq integer,
  link_no integer,
  -- Of a visitor.
  visitor_id uuid,
  -- Of a person.
  collection text,
  contact_id text,
  -- The path of the page, the name of the event, or the field.
  detail text,
  -- The new value of a field.
  value text
);

-- Contacts that were added or changed, of collections that an event begins with, until a worker looks at them.
create table contact_changes (
  organization_id uuid not null,
  position bigint generated always as identity,
  collection text not null,
  contact_id text not null,
  -- Of a change, with its new value; null for a contact that was added.
  field text,
  value text,
  at timestamptz not null default now(),
  primary key (organization_id, position)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
create index on contact_changes (position);
