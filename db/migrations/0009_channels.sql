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
