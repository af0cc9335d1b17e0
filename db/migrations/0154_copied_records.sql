-- The records of copies of persons' data. Each is a row, so that a copy of any size passes through no process as a whole.
create table data_request_records (
  organization_id uuid not null references organizations on delete cascade,
  request_id uuid not null,
  -- The list of the copy that it belongs to, and its place in it.
  list text not null,
  position integer not null,
  -- JSON.
  record text not null,
  primary key (organization_id, request_id, list, position),
  foreign key (organization_id, request_id) references data_requests on delete cascade
);

-- What a finished copy has beside its records. Copies in the former form are made again by whoever asks again.
alter table data_requests drop column copy;
alter table data_requests add column copy jsonb;
