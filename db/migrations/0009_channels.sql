-- What a channel keeps of its touchpoints, beside `touchpoints` itself: one table for each channel.
alter table touchpoint_emails
  add column id uuid not null default uuidv7(),
  add unique (organization_id, id);
alter table touchpoint_emails alter column id drop default;

create table touchpoint_websites (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  touchpoint_id uuid not null,
  unique (organization_id, touchpoint_id),
  foreign key (organization_id, touchpoint_id) references touchpoints (organization_id, id) on delete cascade
);
call protect_tenant_table('touchpoint_websites');
create policy reach on touchpoint_websites as restrictive for all to reachout_app using (
  (select has_full_reach()) or touchpoint_id in (select t.id from touchpoints t)
);
