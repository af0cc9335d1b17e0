-- What a send is for: an audience, single messages as they are asked for, those whose delivery failed in another send, or
-- a look at an email before it goes out.
alter table touchpoint_sends
  add column kind text not null default 'campaign' check (kind in ('campaign', 'triggered', 'follow_up', 'test')),
  add column parent_send_id uuid,
  add foreign key (organization_id, parent_send_id) references touchpoint_sends (organization_id, id)
    on delete set null (parent_send_id);
create index on touchpoint_sends (organization_id, parent_send_id) where parent_send_id is not null;
-- What failed is followed up once, or somebody would get the message twice. Nothing has left of a follow-up that failed, or
-- that was cancelled before it had recipients.
create unique index touchpoint_sends_one_follow_up on touchpoint_sends (organization_id, parent_send_id)
  where parent_send_id is not null and status <> 'failed' and (status <> 'cancelled' or recipients_total_count > 0);
-- A touchpoint has one open send of those that it goes live by.
drop index touchpoint_sends_one_open;
create unique index touchpoint_sends_one_open on touchpoint_sends (organization_id, touchpoint_id)
  where kind in ('campaign', 'triggered') and status in ('queued', 'preparing', 'sending', 'paused');
-- Sends that take single messages have none.
alter table touchpoint_send_contents alter column audience drop not null;

-- Messages that were asked for by themselves, for the state of one. No foreign key to the send, which may have millions.
create table messages (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  send_id uuid not null,
  seq integer not null,
  -- The date of the message at each of its attempts.
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, send_id, seq)
);
create index on messages (id);
create index on messages (organization_id, send_id, created_at);

-- Messages that are leased one by one: new ones, which never left, and those that go again.
alter table delivery_retries rename to delivery_queue;
alter index delivery_retries_pkey rename to delivery_queue_pkey;
alter index delivery_retries_due rename to delivery_queue_due;
alter index delivery_retries_leased rename to delivery_queue_leased;
alter table delivery_queue drop constraint delivery_retries_kind_check;
alter table delivery_queue add check (kind in ('new', 'deferred', 'uncertain'));
alter table delivery_queue rename constraint delivery_retries_organization_id_fkey to delivery_queue_organization_id_fkey;
