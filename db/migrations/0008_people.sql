-- Who people are, how they sign in, and what each may do in which organization.

-- Lists that everybody shares. Their ids are what rows store; the screens say them in the reader's language.
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
grant select on countries, organization_sizes, organization_contact_types, client_contact_types to reachout_app;

insert into countries (id, name) values
  ('AD', 'Andorra'), ('AE', 'United Arab Emirates'), ('AF', 'Afghanistan'), ('AG', 'Antigua & Barbuda'),
  ('AI', 'Anguilla'), ('AL', 'Albania'), ('AM', 'Armenia'), ('AO', 'Angola'), ('AQ', 'Antarctica'),
  ('AR', 'Argentina'), ('AS', 'American Samoa'), ('AT', 'Austria'), ('AU', 'Australia'), ('AW', 'Aruba'),
  ('AX', 'Åland Islands'), ('AZ', 'Azerbaijan'), ('BA', 'Bosnia & Herzegovina'), ('BB', 'Barbados'),
  ('BD', 'Bangladesh'), ('BE', 'Belgium'), ('BF', 'Burkina Faso'), ('BG', 'Bulgaria'), ('BH', 'Bahrain'),
  ('BI', 'Burundi'), ('BJ', 'Benin'), ('BL', 'St. Barthélemy'), ('BM', 'Bermuda'), ('BN', 'Brunei'),
  ('BO', 'Bolivia'), ('BQ', 'Caribbean Netherlands'), ('BR', 'Brazil'), ('BS', 'Bahamas'), ('BT', 'Bhutan'),
  ('BV', 'Bouvet Island'), ('BW', 'Botswana'), ('BY', 'Belarus'), ('BZ', 'Belize'), ('CA', 'Canada'),
  ('CC', 'Cocos (Keeling) Islands'), ('CD', 'Congo - Kinshasa'), ('CF', 'Central African Republic'),
  ('CG', 'Congo - Brazzaville'), ('CH', 'Switzerland'), ('CI', 'Côte d’Ivoire'), ('CK', 'Cook Islands'),
  ('CL', 'Chile'), ('CM', 'Cameroon'), ('CN', 'China'), ('CO', 'Colombia'), ('CR', 'Costa Rica'), ('CU', 'Cuba'),
  ('CV', 'Cape Verde'), ('CW', 'Curaçao'), ('CX', 'Christmas Island'), ('CY', 'Cyprus'), ('CZ', 'Czechia'),
  ('DE', 'Germany'), ('DJ', 'Djibouti'), ('DK', 'Denmark'), ('DM', 'Dominica'), ('DO', 'Dominican Republic'),
  ('DZ', 'Algeria'), ('EC', 'Ecuador'), ('EE', 'Estonia'), ('EG', 'Egypt'), ('EH', 'Western Sahara'),
  ('ER', 'Eritrea'), ('ES', 'Spain'), ('ET', 'Ethiopia'), ('FI', 'Finland'), ('FJ', 'Fiji'),
  ('FK', 'Falkland Islands'), ('FM', 'Micronesia'), ('FO', 'Faroe Islands'), ('FR', 'France'), ('GA', 'Gabon'),
  ('GB', 'United Kingdom'), ('GD', 'Grenada'), ('GE', 'Georgia'), ('GF', 'French Guiana'), ('GG', 'Guernsey'),
  ('GH', 'Ghana'), ('GI', 'Gibraltar'), ('GL', 'Greenland'), ('GM', 'Gambia'), ('GN', 'Guinea'), ('GP', 'Guadeloupe'),
  ('GQ', 'Equatorial Guinea'), ('GR', 'Greece'), ('GS', 'South Georgia & South Sandwich Islands'),
  ('GT', 'Guatemala'), ('GU', 'Guam'), ('GW', 'Guinea-Bissau'), ('GY', 'Guyana'), ('HK', 'Hong Kong SAR China'),
  ('HM', 'Heard & McDonald Islands'), ('HN', 'Honduras'), ('HR', 'Croatia'), ('HT', 'Haiti'), ('HU', 'Hungary'),
  ('ID', 'Indonesia'), ('IE', 'Ireland'), ('IL', 'Israel'), ('IM', 'Isle of Man'), ('IN', 'India'),
  ('IO', 'British Indian Ocean Territory'), ('IQ', 'Iraq'), ('IR', 'Iran'), ('IS', 'Iceland'), ('IT', 'Italy'),
  ('JE', 'Jersey'), ('JM', 'Jamaica'), ('JO', 'Jordan'), ('JP', 'Japan'), ('KE', 'Kenya'), ('KG', 'Kyrgyzstan'),
  ('KH', 'Cambodia'), ('KI', 'Kiribati'), ('KM', 'Comoros'), ('KN', 'St. Kitts & Nevis'), ('KP', 'North Korea'),
  ('KR', 'South Korea'), ('KW', 'Kuwait'), ('KY', 'Cayman Islands'), ('KZ', 'Kazakhstan'), ('LA', 'Laos'),
  ('LB', 'Lebanon'), ('LC', 'St. Lucia'), ('LI', 'Liechtenstein'), ('LK', 'Sri Lanka'), ('LR', 'Liberia'),
  ('LS', 'Lesotho'), ('LT', 'Lithuania'), ('LU', 'Luxembourg'), ('LV', 'Latvia'), ('LY', 'Libya'), ('MA', 'Morocco'),
  ('MC', 'Monaco'), ('MD', 'Moldova'), ('ME', 'Montenegro'), ('MF', 'St. Martin'), ('MG', 'Madagascar'),
  ('MH', 'Marshall Islands'), ('MK', 'North Macedonia'), ('ML', 'Mali'), ('MM', 'Myanmar (Burma)'),
  ('MN', 'Mongolia'), ('MO', 'Macao SAR China'), ('MP', 'Northern Mariana Islands'), ('MQ', 'Martinique'),
  ('MR', 'Mauritania'), ('MS', 'Montserrat'), ('MT', 'Malta'), ('MU', 'Mauritius'), ('MV', 'Maldives'),
  ('MW', 'Malawi'), ('MX', 'Mexico'), ('MY', 'Malaysia'), ('MZ', 'Mozambique'), ('NA', 'Namibia'),
  ('NC', 'New Caledonia'), ('NE', 'Niger'), ('NF', 'Norfolk Island'), ('NG', 'Nigeria'), ('NI', 'Nicaragua'),
  ('NL', 'Netherlands'), ('NO', 'Norway'), ('NP', 'Nepal'), ('NR', 'Nauru'), ('NU', 'Niue'), ('NZ', 'New Zealand'),
  ('OM', 'Oman'), ('PA', 'Panama'), ('PE', 'Peru'), ('PF', 'French Polynesia'), ('PG', 'Papua New Guinea'),
  ('PH', 'Philippines'), ('PK', 'Pakistan'), ('PL', 'Poland'), ('PM', 'St. Pierre & Miquelon'),
  ('PN', 'Pitcairn Islands'), ('PR', 'Puerto Rico'), ('PS', 'Palestinian Territories'), ('PT', 'Portugal'),
  ('PW', 'Palau'), ('PY', 'Paraguay'), ('QA', 'Qatar'), ('RE', 'Réunion'), ('RO', 'Romania'), ('RS', 'Serbia'),
  ('RU', 'Russia'), ('RW', 'Rwanda'), ('SA', 'Saudi Arabia'), ('SB', 'Solomon Islands'), ('SC', 'Seychelles'),
  ('SD', 'Sudan'), ('SE', 'Sweden'), ('SG', 'Singapore'), ('SH', 'St. Helena'), ('SI', 'Slovenia'),
  ('SJ', 'Svalbard & Jan Mayen'), ('SK', 'Slovakia'), ('SL', 'Sierra Leone'), ('SM', 'San Marino'), ('SN', 'Senegal'),
  ('SO', 'Somalia'), ('SR', 'Suriname'), ('SS', 'South Sudan'), ('ST', 'São Tomé & Príncipe'), ('SV', 'El Salvador'),
  ('SX', 'Sint Maarten'), ('SY', 'Syria'), ('SZ', 'Eswatini'), ('TC', 'Turks & Caicos Islands'), ('TD', 'Chad'),
  ('TF', 'French Southern Territories'), ('TG', 'Togo'), ('TH', 'Thailand'), ('TJ', 'Tajikistan'), ('TK', 'Tokelau'),
  ('TL', 'Timor-Leste'), ('TM', 'Turkmenistan'), ('TN', 'Tunisia'), ('TO', 'Tonga'), ('TR', 'Türkiye'),
  ('TT', 'Trinidad & Tobago'), ('TV', 'Tuvalu'), ('TW', 'Taiwan'), ('TZ', 'Tanzania'), ('UA', 'Ukraine'),
  ('UG', 'Uganda'), ('UM', 'U.S. Outlying Islands'), ('US', 'United States'), ('UY', 'Uruguay'), ('UZ', 'Uzbekistan'),
  ('VA', 'Vatican City'), ('VC', 'St. Vincent & Grenadines'), ('VE', 'Venezuela'), ('VG', 'British Virgin Islands'),
  ('VI', 'U.S. Virgin Islands'), ('VN', 'Vietnam'), ('VU', 'Vanuatu'), ('WF', 'Wallis & Futuna'), ('WS', 'Samoa'),
  ('XK', 'Kosovo'), ('YE', 'Yemen'), ('YT', 'Mayotte'), ('ZA', 'South Africa'), ('ZM', 'Zambia'), ('ZW', 'Zimbabwe');

insert into organization_sizes (id, name, position) values
  ('1', 'Just me', 1), ('2-10', '2 to 10 people', 2), ('11-50', '11 to 50 people', 3), ('51-200', '51 to 200 people', 4),
  ('201-1000', '201 to 1,000 people', 5), ('1001+', 'More than 1,000 people', 6);
insert into organization_contact_types (id, name) values
  ('general', 'General'), ('billing', 'Billing'), ('technical', 'Technical'), ('privacy', 'Privacy'), ('management', 'Management');
insert into client_contact_types (id, name) values
  ('general', 'General'), ('billing', 'Billing'), ('technical', 'Technical'), ('marketing', 'Marketing'), ('approval', 'Approval');

-- Users
alter table users
  add column company text,
  add column phone text,
  add column website text,
  -- Preference key to value (specification section 3).
  add column preferences jsonb not null default '{}' check (jsonb_typeof(preferences) = 'object');

alter table sessions add column last_used_at timestamptz not null default now();

-- Sign-in knows nobody yet and sees every account; whoever acts for a person changes that person's alone. Names and
-- addresses of others are read: members see each other.
alter table users enable row level security;
alter table users force row level security;
create policy reading on users for select to reachout_app using (true);
create policy own on users for all to reachout_app
  using (current_user_id() is null or id = current_user_id())
  with check (current_user_id() is null or id = current_user_id());
create policy definer on users for select to current_user using (true);
alter table sessions enable row level security;
alter table sessions force row level security;
create policy own on sessions for all to reachout_app
  using (current_user_id() is null or user_id = current_user_id())
  with check (current_user_id() is null or user_id = current_user_id());
alter table accounts enable row level security;
alter table accounts force row level security;
create policy own on accounts for all to reachout_app
  using (current_user_id() is null or user_id = current_user_id())
  with check (current_user_id() is null or user_id = current_user_id());

create table user_addresses (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  line1 text not null,
  line2 text,
  postal_code text,
  city text not null,
  region text,
  country_id text not null references countries (id) on delete restrict,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on user_addresses (user_id);

create table user_socials (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  network text not null,
  url text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on user_socials (user_id);

-- A person's own rows, whatever the organization.
create procedure protect_own_table(name regclass)
  language plpgsql
as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy own on %s for all to reachout_app
    using (user_id = current_user_id()) with check (user_id = current_user_id())', name);
  execute format('grant select, insert, update, delete on %s to reachout_app', name);
end
$$;
call protect_own_table('user_addresses');
call protect_own_table('user_socials');

-- What was mailed to prove that somebody reads an address: once, for one purpose, for a short time.
-- Only keyed hashes are stored; the key is not in the database.
create table one_time_tokens (
  id uuid primary key,
  purpose text not null check (purpose in ('sign_up', 'sign_in_code', 'reset_password', 'change_email')),
  -- Lower case.
  email text not null,
  -- Null for a sign-up: there is no user before the address is proven.
  user_id uuid references users (id) on delete cascade,
  secret_hash text not null,
  -- Of the cookie that the asking browser got; whoever else holds the token is not the one who asked.
  browser_hash text,
  -- Of a sign-up that waits: name, password hash, language.
  payload jsonb not null default '{}',
  failed_attempts smallint not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index on one_time_tokens (purpose, email);
create index on one_time_tokens (user_id);
create index on one_time_tokens (browser_hash) where browser_hash is not null;
create index on one_time_tokens (expires_at);
create unique index on one_time_tokens (secret_hash) where purpose <> 'sign_in_code';

-- Counters of attempts, shared by all processes; the shape is that of rate-limiter-flexible.
create table rate_limits (
  key text primary key,
  points integer not null default 0,
  -- Milliseconds since 1970.
  expire bigint
);
create index on rate_limits (expire);
grant select, insert, update, delete on one_time_tokens, rate_limits to reachout_app;

-- Mail of the platform itself: codes, links, invitations, notices. A row says what is to be told, never a secret: codes
-- and links are made in the moment of sending.
create table system_mails (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  language text not null check (language in ('en', 'de')),
  payload jsonb not null default '{}',
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  -- After this moment the mail would be useless.
  expires_at timestamptz not null,
  worker_id integer,
  lease_until timestamptz,
  error_content text,
  -- Set when it was sent, or given up.
  ended_at timestamptz,
  created_at timestamptz not null default now()
);
create index on system_mails (due_at) where ended_at is null;
create index on system_mails (created_at);

-- The platform's mail as the built-in mailbox keeps it, where no mail server is set.
create table system_messages (
  id uuid primary key,
  recipient text not null,
  sender text not null,
  subject text not null,
  raw bytea not null,
  received_at timestamptz not null
);
create index on system_messages (received_at desc, id desc);
grant select, insert, update, delete on system_mails, system_messages to reachout_app;

-- Organizations
alter table organizations
  add column organization_size_id text references organization_sizes (id) on delete restrict,
  add column country_id text references countries (id) on delete restrict;

create table organization_addresses (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  line1 text not null,
  line2 text,
  postal_code text,
  city text not null,
  region text,
  country_id text not null references countries (id) on delete restrict,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, id)
);
call protect_tenant_table('organization_addresses');

create table organization_contacts (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  contact_type_id text not null references organization_contact_types (id) on delete restrict,
  full_name text not null,
  email text,
  phone text,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, id)
);
call protect_tenant_table('organization_contacts');

-- Clients
alter table clients add column logo_url text;
-- Whose logo a file is, is asked with every picture on screen (storage/).
create index on clients (organization_id, logo_url) where logo_url is not null;
create index on brands (organization_id, logo_url) where logo_url is not null;

create table client_addresses (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  client_id uuid not null,
  line1 text not null,
  line2 text,
  postal_code text,
  city text not null,
  region text,
  country_id text not null references countries (id) on delete restrict,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade
);
create index on client_addresses (organization_id, client_id);
call protect_tenant_table('client_addresses');

create table client_contacts (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  client_id uuid not null,
  contact_type_id text not null references client_contact_types (id) on delete restrict,
  full_name text not null,
  email text,
  phone text,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade
);
create index on client_contacts (organization_id, client_id);
call protect_tenant_table('client_contacts');

create table client_socials (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  client_id uuid not null,
  network text not null,
  url text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade
);
create index on client_socials (organization_id, client_id);
call protect_tenant_table('client_socials');

-- Members and roles
alter table organization_users
  add column last_seen_at timestamptz,
  add unique (user_id, organization_id);

-- The organization's own roles. The built-in ones stand in the contract (abilities.ts), and no own one takes their names.
create table organization_roles (
  organization_id uuid not null references organizations (id) on delete cascade,
  -- What organization_users.role holds; never changed.
  role text not null check (role ~ '^[a-z][a-z0-9_]{0,39}$' and role not in ('owner', 'admin', 'editor', 'analyst', 'guest')),
  name text not null check (char_length(name) between 1 and 120),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, role)
);
create unique index organization_roles_name_taken on organization_roles (organization_id, lower(name));
call protect_tenant_table('organization_roles');

-- CASL rules in the order in which they apply.
create table role_permissions (
  organization_id uuid not null references organizations (id) on delete cascade,
  role text not null,
  position smallint not null,
  action text not null,
  subject text not null,
  conditions jsonb,
  inverted boolean not null default false,
  primary key (organization_id, role, position),
  foreign key (organization_id, role) references organization_roles (organization_id, role) on delete cascade
);
call protect_tenant_table('role_permissions');

-- The clients that a member is limited to, where the role's rules say `${client_ids}`.
create table organization_user_clients (
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id uuid not null,
  client_id uuid not null,
  primary key (organization_id, user_id, client_id),
  foreign key (organization_id, user_id) references organization_users (organization_id, user_id) on delete cascade,
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade
);
create index on organization_user_clients (organization_id, client_id);
call protect_tenant_table('organization_user_clients');

-- Invitations
create table organization_invitations (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  -- Lower case.
  email text not null,
  role text not null,
  client_ids uuid[] not null default '{}',
  language text not null check (language in ('en', 'de')),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'cancelled')),
  -- To find it by, also when it was answered, so that whoever comes again learns what became of it.
  token_hash text not null unique,
  -- To show the link again to those who may invite; null when it is no longer pending.
  token_sealed text,
  -- Whose right to give the role is looked at again when it is accepted.
  invited_by uuid references users (id) on delete set null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on organization_invitations (organization_id, created_at desc);
create unique index organization_invitations_one_pending on organization_invitations (organization_id, email)
  where status = 'pending';
create index on organization_invitations (email) where status = 'pending';
call protect_tenant_table('organization_invitations');

-- The one link by which anybody who has it joins, as a guest; none is the default.
create table organization_invitation_links (
  organization_id uuid primary key references organizations (id) on delete cascade,
  token_hash text not null unique,
  token_sealed text not null,
  client_ids uuid[] not null default '{}',
  max_uses integer not null check (max_uses > 0),
  uses integer not null default 0 check (uses <= max_uses),
  expires_at timestamptz not null,
  created_by uuid references users (id) on delete set null,
  -- Who was removed from the organization since the link was made does not come back by it.
  removed_user_ids uuid[] not null default '{}',
  created_at timestamptz not null default now()
);
call protect_tenant_table('organization_invitation_links');

-- API keys
create table api_keys (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 120),
  -- The first characters of the key, to tell keys apart.
  prefix text not null,
  key_hash text not null unique,
  scopes text[] not null,
  -- The key never does more than this member may.
  user_id uuid not null references users (id) on delete cascade,
  last_used_at timestamptz,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index on api_keys (organization_id, created_at desc);
create index on api_keys (user_id);
call protect_tenant_table('api_keys');

-- Who did what to which record, when, from where. Written in the transaction of the change; never changed.
create table audit_log (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  at timestamptz not null default now(),
  -- No reference: the entry outlives the account.
  user_id uuid,
  api_key_id uuid,
  -- The call's name in the contract, such as `clients.update`, or what happened outside of calls, such as `sign_in`.
  action text not null,
  record_type text,
  record_id text,
  record_name text,
  details jsonb not null default '{}',
  network text,
  user_agent text,
  primary key (organization_id, id)
);
create index on audit_log (organization_id, at desc, id desc);
create index on audit_log (organization_id, record_id, at desc);
create index on audit_log (user_id);
call protect_tenant_table('audit_log');
revoke update, delete on audit_log from reachout_app;

-- Tells all organizations of the acting user, in one statement, of a session that this user has: whoever signs in is in
-- none of them yet.
create policy sign_in on audit_log for insert to current_user
  with check (action = 'sign_in' and user_id = current_user_id());
create policy definer on sessions for select to current_user using (user_id = current_user_id());
create function record_sign_in(entry_id uuid, session_id uuid, method text, network text, user_agent text)
  returns void
  language sql security definer set search_path = pg_catalog, public, pg_temp
as $$
  insert into public.audit_log (organization_id, id, user_id, action, details, network, user_agent)
  select m.organization_id, entry_id, m.user_id, 'sign_in', jsonb_build_object('method', record_sign_in.method),
    record_sign_in.network, record_sign_in.user_agent
  from public.sessions s
  join public.organization_users m on m.user_id = s.user_id
  join public.organizations o on o.id = m.organization_id and not o.deleted and o.status <> 'inactive'
  where s.id = record_sign_in.session_id and s.user_id = public.current_user_id()
$$;
revoke all on function record_sign_in(uuid, uuid, text, text, text) from public;
grant execute on function record_sign_in(uuid, uuid, text, text, text) to reachout_app;

-- How far the call under way reaches within its organization: to all of it, or, for members whose rules are limited to
-- clients or brands, only to those. Rules become these settings (access/calls.ts), and the settings conditions of every
-- statement: lists, counts and pages are right without any of them knowing.
create function has_full_reach() returns boolean
  language sql stable parallel safe
  return nullif(current_setting('app.reach', true), '') is null;
create function reachable_client_ids() returns uuid[]
  language sql stable parallel safe
  return coalesce(nullif(current_setting('app.client_ids', true), ''), '{}')::uuid[];
create function reachable_brand_ids() returns uuid[]
  language sql stable parallel safe
  return coalesce(nullif(current_setting('app.brand_ids', true), ''), '{}')::uuid[];
grant execute on function has_full_reach(), reachable_client_ids(), reachable_brand_ids() to reachout_app;

-- `(select …)` makes PostgreSQL ask once for a statement, not once for a row.
create policy reach on brands as restrictive for all to reachout_app using (
  (select has_full_reach())
  or client_id = any ((select reachable_client_ids())::uuid[])
  or id = any ((select reachable_brand_ids())::uuid[])
);
create policy reach on clients as restrictive for all to reachout_app using (
  (select has_full_reach())
  or id = any ((select reachable_client_ids())::uuid[])
  or id in (select b.client_id from brands b where b.id = any ((select reachable_brand_ids())::uuid[]))
);
create policy reach on campaigns as restrictive for all to reachout_app using (
  (select has_full_reach()) or brand_id in (select b.id from brands b)
);
create policy reach on touchpoints as restrictive for all to reachout_app using (
  (select has_full_reach()) or campaign_id in (select c.id from campaigns c)
);
create policy reach on touchpoint_emails as restrictive for all to reachout_app using (
  (select has_full_reach()) or touchpoint_id in (select t.id from touchpoints t)
);
create policy reach on filters as restrictive for all to reachout_app using (
  (select has_full_reach()) or brand_id in (select b.id from brands b)
);
create policy reach on touchpoint_sends as restrictive for all to reachout_app using (
  (select has_full_reach()) or brand_id in (select b.id from brands b)
);
create policy reach on mailbox_messages as restrictive for all to reachout_app using (
  (select has_full_reach()) or send_id in (select s.id from touchpoint_sends s)
);
create policy reach on events as restrictive for all to reachout_app using (
  (select has_full_reach()) or send_id in (select s.id from touchpoint_sends s)
);
-- Those of the whole organization count for every brand: an audience is as large for a limited member as for others.
create policy reach on suppressions as restrictive for all to reachout_app using (
  (select has_full_reach()) or brand_id is null or brand_id in (select b.id from brands b)
) with check (
  (select has_full_reach()) or brand_id in (select b.id from brands b)
);
-- The rows of a client's own: whoever reaches only a brand of it does not see whom to call there.
create policy reach on client_addresses as restrictive for all to reachout_app using (
  (select has_full_reach()) or client_id = any ((select reachable_client_ids())::uuid[])
);
create policy reach on client_contacts as restrictive for all to reachout_app using (
  (select has_full_reach()) or client_id = any ((select reachable_client_ids())::uuid[])
);
create policy reach on client_socials as restrictive for all to reachout_app using (
  (select has_full_reach()) or client_id = any ((select reachable_client_ids())::uuid[])
);

-- Whose record an id names, and what decides over the acting user there: role, the rules of an own role, and the
-- clients that the member is limited to.
drop function resolve_membership(text, uuid);
create function resolve_membership(kind text, record_id uuid)
  returns table (organization_id uuid, role text, status text, rules jsonb, client_ids uuid[])
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
    select o.id, m.role, o.status,
      -- Nothing is left out of the conditions: without its nulls a condition would say less.
      (select jsonb_agg(jsonb_build_object('action', p.action, 'subject', p.subject, 'inverted', p.inverted)
          || case when p.conditions is null then '{}' else jsonb_build_object('conditions', p.conditions) end
          order by p.position)
        from public.role_permissions p where p.organization_id = o.id and p.role = m.role),
      array(select c.client_id from public.organization_user_clients c
        where c.organization_id = o.id and c.user_id = m.user_id order by c.client_id)
    from public.organizations o
    join public.organization_users m on m.organization_id = o.id and m.user_id = public.current_user_id()
    where o.id = tenant and not o.deleted and o.status <> 'inactive';
end
$$;
revoke all on function resolve_membership(text, uuid) from public;
grant execute on function resolve_membership(text, uuid) to reachout_app;

-- The key that a request brings. Whoever can name the hash holds the key (several, while SECRET_KEY is being changed); whether its owner is still a member, and what
-- the key may do, is decided afterwards as for every call.
create function api_key_by_hash(hashes text[])
  returns table (id uuid, organization_id uuid, user_id uuid, scopes text[], last_used_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select k.id, k.organization_id, k.user_id, k.scopes, k.last_used_at
  from public.api_keys k
  join public.users u on u.id = k.user_id and u.status = 'active'
  where k.key_hash = any(hashes) and k.revoked_at is null and k.expires_at > now()
$$;
revoke all on function api_key_by_hash(text[]) from public;
grant execute on function api_key_by_hash(text[]) to reachout_app;

-- What an invitation's token names. Whoever can name the hash holds the token.
create function invitation_by_hash(hashes text[])
  returns table (kind text, organization_id uuid, invitation_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select 'email', i.organization_id, i.id
  from public.organization_invitations i
  join public.organizations o on o.id = i.organization_id and not o.deleted and o.status <> 'inactive'
  where i.token_hash = any(hashes)
  union all
  select 'link', l.organization_id, null
  from public.organization_invitation_links l
  join public.organizations o on o.id = l.organization_id and not o.deleted and o.status <> 'inactive'
  where l.token_hash = any(hashes)
$$;
revoke all on function invitation_by_hash(text[]) from public;
grant execute on function invitation_by_hash(text[]) to reachout_app;

-- The invitations that wait for the acting user, by the address that was proven. The user comes from the transaction.
create function my_invitations()
  returns table (id uuid, organization_id uuid, organization_name text, logo_url text, role text, role_name text,
    invited_by_name text, token_sealed text, expires_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select i.id, o.id, o.name, o.logo_url, i.role, r.name, p.full_name, i.token_sealed, i.expires_at
  from public.users u
  join public.organization_invitations i on i.email = u.email and i.status = 'pending' and i.expires_at > now()
  join public.organizations o on o.id = i.organization_id and not o.deleted and o.status <> 'inactive'
  left join public.organization_roles r on r.organization_id = i.organization_id and r.role = i.role
  left join public.users p on p.id = i.invited_by
  where u.id = public.current_user_id() and u.email_verified
  order by i.created_at desc
$$;
revoke all on function my_invitations() from public;
grant execute on function my_invitations() to reachout_app;

drop function my_organizations();
create function my_organizations()
  returns table (id uuid, name text, logo_url text, status text, organization_size_id text, country_id text, role text,
    role_name text, created_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select o.id, o.name, o.logo_url, o.status, o.organization_size_id, o.country_id, m.role, r.name, o.created_at
  from public.organization_users m
  join public.organizations o on o.id = m.organization_id
  left join public.organization_roles r on r.organization_id = m.organization_id and r.role = m.role
  where m.user_id = public.current_user_id() and not o.deleted and o.status <> 'inactive'
  order by lower(o.name), o.id
$$;
revoke all on function my_organizations() from public;
grant execute on function my_organizations() to reachout_app;

-- Whether somebody works with the acting user in any organization: to them the person has a face (storage/).
create function shares_organization(person_id uuid)
  returns boolean
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select exists (
    select from public.organization_users mine
    join public.organization_users theirs on theirs.organization_id = mine.organization_id and theirs.user_id = person_id
    join public.organizations o on o.id = mine.organization_id and not o.deleted and o.status <> 'inactive'
    where mine.user_id = public.current_user_id()
  )
$$;
revoke all on function shares_organization(uuid) from public;
grant execute on function shares_organization(uuid) to reachout_app;

create or replace view clients_brands with (security_invoker = true) as
  select c.organization_id, c.id as client_id, c.name as client_name, b.id as brand_id, b.name as brand_name,
    c.logo_url as client_logo_url, b.logo_url as brand_logo_url
  from clients c
  left join brands b on b.organization_id = c.organization_id and b.client_id = c.id and not b.deleted
  where not c.deleted;

-- What organizations keep about the acting user, also those that were left, deleted or switched off, for the person's own
-- export and erasure. The user comes from the transaction. Other people and the names of records stay out.
create function my_traces()
  returns table (kind text, organization_id uuid, data jsonb)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  with me as (select u.id, u.email from public.users u where u.id = public.current_user_id()),
  places as (
    select m.organization_id from public.organization_users m join me on me.id = m.user_id
    union select i.organization_id from public.organization_invitations i join me on me.email = i.email
    union select a.organization_id from public.audit_log a join me on me.id = a.user_id
  ),
  -- Those to the address, and those that were accepted when it was another one.
  invitations as (
    select i.* from public.organization_invitations i join me on i.email = me.email
    union select i.* from me
    join public.audit_log a on a.user_id = me.id and a.action = 'invitations.accept'
    join public.organization_invitations i on i.organization_id = a.organization_id and i.id::text = a.record_id
  )
  select 'membership', m.organization_id, jsonb_build_object('organization', o.name, 'role', m.role,
      'created_at', m.created_at, 'last_seen_at', m.last_seen_at, 'organization_deleted', o.deleted)
    from me join public.organization_users m on m.user_id = me.id
    join public.organizations o on o.id = m.organization_id
  union all
  select 'invitation', i.organization_id, jsonb_build_object('id', i.id, 'organization', o.name, 'role', i.role,
      'language', i.language, 'status', i.status, 'created_at', i.created_at, 'expires_at', i.expires_at)
    from invitations i join public.organizations o on o.id = i.organization_id
  union all
  select 'sent_invitation', i.organization_id, jsonb_build_object('id', i.id, 'role', i.role, 'status', i.status,
      'created_at', i.created_at)
    from me join public.organization_invitations i on i.invited_by = me.id
  union all
  select 'invitation_link', l.organization_id, jsonb_build_object('max_uses', l.max_uses, 'uses', l.uses,
      'created_at', l.created_at, 'expires_at', l.expires_at)
    from me join public.organization_invitation_links l on l.created_by = me.id
  union all
  select 'api_key', k.organization_id, jsonb_build_object('id', k.id, 'name', k.name, 'prefix', k.prefix,
      'scopes', k.scopes, 'created_at', k.created_at, 'last_used_at', k.last_used_at, 'expires_at', k.expires_at,
      'revoked_at', k.revoked_at)
    from me join public.api_keys k on k.user_id = me.id
  union all
  select 'audit_entry', a.organization_id, jsonb_build_object('id', a.id, 'at', a.at, 'action', a.action,
      'record_type', a.record_type, 'record_id', a.record_id, 'network', a.network, 'user_agent', a.user_agent)
    from me join public.audit_log a on a.user_id = me.id
  union all
  select 'send', s.organization_id, jsonb_build_object('id', s.id, 'touchpoint_id', s.touchpoint_id,
      'status', s.status, 'send_date', s.send_date, 'created_at', s.created_at)
    from me, places p join public.touchpoint_sends s on s.organization_id = p.organization_id
    where s.user_created = me.id
  union all
  select 'import', c.organization_id, jsonb_build_object('id', c.id, 'collection', c.collection,
      'file_name', c.file_name, 'status', c.status, 'created_at', c.created_at)
    from me, places p join public.content_imports c on c.organization_id = p.organization_id
    where c.user_created = me.id
$$;
revoke all on function my_traces() from public;
grant execute on function my_traces() to reachout_app;

-- Takes what names the acting user out of rows that are not the person's own: entries of the audit log keep ids alone,
-- and kept answers of other people's calls go. The one thing that ever changes an entry.
create policy erase on audit_log for update to current_user using (current_user_id() is not null);
create policy definer on idempotency_keys for select to current_user using (current_user_id() is not null);
create policy erase on idempotency_keys for delete to current_user using (current_user_id() is not null);
create function erase_my_name()
  returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  me record;
  mine text[];
  places uuid[];
begin
  select u.id, u.email into strict me from public.users u where u.id = public.current_user_id();
  mine := array(select t.data ->> 'id' from public.my_traces() t where t.kind = 'invitation') || me.id::text;
  places := array(select t.organization_id from public.my_traces() t);
  update public.audit_log a set network = null, user_agent = null where a.user_id = me.id;
  -- Of these alone does the name belong to a person: entries about invitations and members name them by id.
  update public.audit_log a set record_name = null, details = '{}'
    where a.organization_id = any(places) and a.record_id = any(mine);
  -- The id is nobody else's, wherever it stands. An address may be part of another one.
  delete from public.idempotency_keys k
    where strpos(k.answer::text, me.id::text) > 0 or exists (
      select from jsonb_path_query(k.answer, 'strict $.**') as v (value)
      where jsonb_typeof(v.value) = 'string' and lower(v.value #>> '{}') = lower(me.email)
    );
end
$$;
revoke all on function erase_my_name() from public;
grant execute on function erase_my_name() to reachout_app;

-- Erasing what was deleted long ago, and what is only kept for a while (housekeeping/). The owner may delete what is
-- past its time and nothing else, whatever a function asks for.
create policy retention on organizations for delete to current_user
  using (deleted and deleted_at < now() - interval '30 days');
create policy retention on idempotency_keys for delete to current_user using (created_at < now() - interval '24 hours');
create policy retention_read on idempotency_keys for select to current_user
  using (created_at < now() - interval '24 hours');

create index on organizations (deleted_at) where deleted;
create index on clients (deleted_at) where deleted;
create index on brands (deleted_at) where deleted;
create index on campaigns (deleted_at) where deleted;
create index on touchpoints (deleted_at) where deleted;

-- For the worker, which then enters each organization.
create function organizations_to_erase(max_rows integer)
  returns table (organization_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select o.id from public.organizations o
  where o.deleted and o.deleted_at < now() - interval '30 days'
  order by o.deleted_at
  limit max_rows
$$;
revoke all on function organizations_to_erase(integer) from public;
grant execute on function organizations_to_erase(integer) to reachout_app;

-- Links in messages go on working for 60 days after what they were sent for was deleted.
create function records_to_erase(max_rows integer)
  returns table (organization_id uuid, kind text, record_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select r.organization_id, r.kind, r.id
  from (
    select t.organization_id, 'clients' as kind, t.id, t.deleted_at from public.clients t where t.deleted
    union all select t.organization_id, 'brands', t.id, t.deleted_at from public.brands t where t.deleted
    union all select t.organization_id, 'campaigns', t.id, t.deleted_at from public.campaigns t where t.deleted
    union all select t.organization_id, 'touchpoints', t.id, t.deleted_at from public.touchpoints t where t.deleted
  ) r
  where r.deleted_at < now() - interval '60 days'
  order by r.deleted_at
  limit max_rows
$$;
revoke all on function records_to_erase(integer) from public;
grant execute on function records_to_erase(integer) to reachout_app;

-- The server may not delete organizations; this does, for those that are past their time, and tells whether it did.
create function erase_organization(gone_id uuid)
  returns boolean
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
begin
  delete from public.organizations o
    where o.id = gone_id and o.deleted and o.deleted_at < now() - interval '30 days';
  return found;
end
$$;
revoke all on function erase_organization(uuid) from public;
grant execute on function erase_organization(uuid) to reachout_app;

-- Addresses and contacts are about people: those that can no longer be brought back go for good.
do $$
declare
  name regclass;
begin
  foreach name in array array['user_addresses', 'organization_addresses', 'organization_contacts', 'client_addresses',
    'client_contacts']::regclass[]
  loop
    execute format('create policy retention on %s for delete to current_user
      using (deleted and deleted_at < now() - interval ''30 days'')', name);
    execute format('create index on %s (deleted_at) where deleted', name);
  end loop;
end
$$;
create policy retention_read on user_addresses for select to current_user
  using (deleted and deleted_at < now() - interval '30 days');

create function erase_addresses_and_contacts(max_rows integer)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  name text;
  erased integer;
  total integer := 0;
begin
  foreach name in array array['user_addresses', 'organization_addresses', 'organization_contacts', 'client_addresses',
    'client_contacts']
  loop
    execute format('delete from public.%1$I where id in (
      select t.id from public.%1$I t where t.deleted and t.deleted_at < now() - interval ''30 days'' limit $1
    )', name) using max_rows - total;
    get diagnostics erased = row_count;
    total := total + erased;
  end loop;
  return total;
end
$$;
revoke all on function erase_addresses_and_contacts(integer) from public;
grant execute on function erase_addresses_and_contacts(integer) to reachout_app;

-- Answers are kept for repeats within a day; they belong to people, and the worker is none of them.
create function delete_old_answers(max_rows integer)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  deleted_count integer;
begin
  delete from public.idempotency_keys k
    where (k.user_id, k.route, k.key) in (
      select o.user_id, o.route, o.key from public.idempotency_keys o
      where o.created_at < now() - interval '24 hours'
      limit max_rows
    );
  get diagnostics deleted_count = row_count;
  return deleted_count;
end
$$;
revoke all on function delete_old_answers(integer) from public;
grant execute on function delete_old_answers(integer) to reachout_app;
