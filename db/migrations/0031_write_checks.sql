-- One row, written when a process is asked whether it is ready (check_writes): that the database takes a commit.
create table write_checks (
  id boolean primary key default true check (id),
  written_at timestamptz not null
);
