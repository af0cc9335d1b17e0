-- PostgreSQL lets everybody run new functions unless told otherwise; here each one is granted by name.
alter default privileges revoke execute on routines from public;
revoke all on schema public from public;

-- Lists that everybody shares; db/reference/ fills them. Rows store their ids; screens show them in the reader's
-- language.
create table countries (
  -- ISO 3166-1 alpha-2.
  id text primary key check (id ~ '^[A-Z]{2}$'),
  name text not null
);

create table organization_sizes (
  id text primary key,
  name text not null,
  position smallint not null unique
);

create table organization_contact_types (
  id text primary key,
  name text not null
);

create table client_contact_types (
  id text primary key,
  name text not null
);
