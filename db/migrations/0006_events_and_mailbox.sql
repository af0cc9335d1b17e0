-- What came back: opens, clicks, bounces, unsubscribes. Stored once, read by all (SEND_EMAIL is delivery_results itself).
create table events (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  touchpoint_id uuid not null,
  send_id uuid not null,
  seq integer not null,
  type text not null check (type in ('SEND_EMAIL', 'OPEN_EMAIL', 'CLICK', 'BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE')),
  at timestamptz not null,
  link_no integer,
  -- A mail program's proxy or a scanner, not a person.
  automatic boolean not null default false,
  user_agent text,
  -- The network address, truncated to /24 or /48.
  network text,
  primary key (organization_id, id)
);
create index on events (organization_id, touchpoint_id, type, at);
call protect_tenant_table('events');

-- One row for each delivery and type, with link_no -1, and for clicks one more for each link: the first event makes it
-- unique, all are counted, and only the first few are kept as rows of events, so that a replayed pixel cannot fill the
-- table.
create table delivery_event_counts (
  organization_id uuid not null references organizations (id) on delete cascade,
  send_id uuid not null,
  type text not null,
  seq integer not null,
  -- -1 is the message as a whole.
  link_no integer not null,
  touchpoint_id uuid not null,
  -- 64 bits: one address replayed for days must not make a batch fail.
  human_count bigint not null,
  automatic_count bigint not null,
  first_human_at timestamptz,
  primary key (organization_id, send_id, type, seq, link_no)
);
-- Unique opens and clicks over time.
create index on delivery_event_counts (organization_id, touchpoint_id, type, first_human_at) where link_no = -1;
call protect_tenant_table('delivery_event_counts');

-- How many events came when, written in the statement that counts them: charts and
-- figures of a period need no look at single deliveries.
create table delivery_event_totals (
  organization_id uuid not null references organizations (id) on delete cascade,
  touchpoint_id uuid not null,
  send_id uuid not null,
  type text not null,
  -- The start of a quarter of an hour: hours and days begin with one in every time zone.
  at timestamptz not null,
  -- Deliveries whose first event of this type, by a person, came then.
  unique_count bigint not null,
  human_count bigint not null,
  automatic_count bigint not null,
  primary key (organization_id, touchpoint_id, type, at, send_id)
);
create index on delivery_event_totals (organization_id, send_id, type, at);
call protect_tenant_table('delivery_event_totals');

-- What the built-in mailbox took in.
create table mailbox_messages (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  send_id uuid not null,
  seq integer not null,
  recipient text not null,
  sender text not null,
  subject text not null,
  raw bytea not null,
  received_at timestamptz not null,
  primary key (organization_id, id)
);
-- Compressing each message would cost more than all the rest of taking it in.
alter table mailbox_messages alter column raw set storage external;
create index on mailbox_messages (organization_id, received_at desc, id desc);
create index on mailbox_messages (organization_id, send_id);
call protect_tenant_table('mailbox_messages');

-- Whose record an id names, and which role the acting user has there. One question for every call; no answer
-- for records that do not exist, organizations that are gone, and people who are not members.
create function resolve_membership(kind text, record_id uuid)
  returns table (organization_id uuid, role text, status text)
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  tenant uuid;
begin
  case kind
    when 'organizations' then tenant := record_id;
    when 'clients' then select t.organization_id into tenant from public.clients t where t.id = record_id;
    when 'brands' then select t.organization_id into tenant from public.brands t where t.id = record_id;
    when 'campaigns' then select t.organization_id into tenant from public.campaigns t where t.id = record_id;
    when 'touchpoints' then select t.organization_id into tenant from public.touchpoints t where t.id = record_id;
    when 'filters' then select t.organization_id into tenant from public.filters t where t.id = record_id;
    when 'touchpoint_sends' then select t.organization_id into tenant from public.touchpoint_sends t where t.id = record_id;
    when 'content_imports' then select t.organization_id into tenant from public.content_imports t where t.id = record_id;
    when 'mailbox_messages' then select t.organization_id into tenant from public.mailbox_messages t where t.id = record_id limit 1;
    else raise exception 'unknown kind of record: %', kind;
  end case;
  return query
    select o.id, m.role, o.status
    from public.organizations o
    join public.organization_users m on m.organization_id = o.id and m.user_id = public.current_user_id()
    where o.id = tenant and not o.deleted and o.status <> 'inactive';
end
$$;
revoke all on function resolve_membership(text, uuid) from public;
grant execute on function resolve_membership(text, uuid) to reachout_app;

create index on mailbox_messages (id);
