-- Forms by which people sign up for mail of a brand: `content/sign-ups`.
create table sign_up_forms (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  brand_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  collection text not null,
  -- The newest one.
  version integer not null default 1,
  is_active boolean not null,
  confirmed_count integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on sign_up_forms (id);
create index on sign_up_forms (organization_id, brand_id);

-- What a form says and asks for. A version never changes, and outlives its form: people have agreed to its text.
create table sign_up_form_versions (
  organization_id uuid not null references organizations (id) on delete cascade,
  form_id uuid not null,
  version integer not null,
  brand_id uuid not null,
  form_name text not null,
  -- `[{ name, label, is_required }]`
  fields jsonb not null,
  topic_ids uuid[] not null,
  asks_tracking boolean not null,
  language text not null check (language in ('en', 'de')),
  title text not null check (char_length(title) between 1 and 120),
  consent_text text not null check (char_length(consent_text) between 1 and 2000),
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (organization_id, form_id, version),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on sign_up_form_versions (organization_id, brand_id);
create index on sign_up_form_versions (created_by) where created_by is not null;

-- Requests to sign up, and once they are confirmed, their proof.
create table sign_ups (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  form_id uuid not null,
  version integer not null,
  brand_id uuid not null,
  collection text not null,
  -- As entered, with an ASCII domain.
  address text not null,
  -- The normalized address: lower case, domain in ASCII.
  address_key text not null,
  -- By field of the collection.
  field_values jsonb not null,
  -- The chosen ones: `[{ id, name }]`.
  topics jsonb not null,
  -- Null if the form did not ask.
  tracking_consent boolean,
  source_page text,
  requested_at timestamptz not null default now(),
  -- `203.0.113.0/24` or `2001:db8:1::/48`.
  requested_ip_prefix text,
  confirmed_at timestamptz,
  confirmed_ip_prefix text,
  -- The contact that it created or changed.
  contact_id text,
  -- Whether the content backend has the contact; null before the confirmation. Failed: not tried again.
  contact_state text check (contact_state in ('waiting', 'written', 'failed')),
  error_content text check (char_length(error_content) <= 500),
  primary key (organization_id, id),
  foreign key (organization_id, form_id, version) references sign_up_form_versions (organization_id, form_id, version)
    on delete cascade,
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on sign_ups (organization_id, address_key, requested_at desc);
create index on sign_ups (organization_id, brand_id);
create index on sign_ups (organization_id, form_id, version);
create index on sign_ups (organization_id, form_id) where confirmed_at is null;
create index on sign_ups (organization_id, form_id, confirmed_at) where contact_state in ('waiting', 'failed');
create index on sign_ups (requested_at) where confirmed_at is null;
