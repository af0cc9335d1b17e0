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
  user_created uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, touchpoint_id) references touchpoints (organization_id, id) on delete cascade
);
create index on touchpoint_schedules (id);
create index on touchpoint_schedules (organization_id, touchpoint_id);

alter table touchpoint_sends
  add column schedule_id uuid,
  -- The planned time, which identifies an occurrence: `send_date` is when it starts, and may be later.
  add column occurrence_at timestamptz,
  -- One of several sends of its touchpoint: its status does not change that of the touchpoint.
  add column in_series boolean not null default false,
  add foreign key (organization_id, schedule_id) references touchpoint_schedules (organization_id, id) on delete set null (schedule_id),
  drop constraint touchpoint_sends_status_check,
  add constraint touchpoint_sends_status_check
    check (status in ('queued', 'held', 'preparing', 'sending', 'paused', 'completed', 'cancelled', 'failed'));
create index on touchpoint_sends (organization_id, schedule_id) where schedule_id is not null;
-- An occurrence is sent once. One that failed or was cancelled before it had recipients can be planned again.
create unique index touchpoint_sends_one_occurrence on touchpoint_sends (organization_id, schedule_id, occurrence_at)
  where occurrence_at is not null and status <> 'failed' and (status <> 'cancelled' or recipients_total_count > 0);

drop index touchpoint_sends_one_open;
create unique index touchpoint_sends_one_open on touchpoint_sends (organization_id, touchpoint_id)
  where kind in ('campaign', 'triggered') and not in_series and status in ('queued', 'held', 'preparing', 'sending', 'paused');
drop index touchpoint_sends_open;
create index touchpoint_sends_open on touchpoint_sends (organization_id, send_date)
  where kind <> 'test' and status in ('queued', 'held', 'preparing', 'sending', 'paused');
