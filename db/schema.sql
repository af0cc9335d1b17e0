-- Written by npm run db:dump from the migrated database: for reading, not for running.

create table account_email_outbox (
  id uuid not null,
  kind text not null,
  recipient text not null,
  language text not null,
  payload jsonb not null default '{}'::jsonb,
  expires_at timestamp with time zone not null,
  error_content text,
  ended_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint account_email_outbox_pkey PRIMARY KEY (id),
  constraint account_email_outbox_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text])))
);
CREATE INDEX account_email_outbox_created_at_idx ON account_email_outbox USING btree (created_at);
-- Row-level security: forced
create policy enqueue on account_email_outbox for insert to reachout_app with check ((current_user_id() IS NOT NULL));
create policy enqueue_confirmations on account_email_outbox for insert to reachout_app with check (((current_organization_id() IS NOT NULL) AND (kind = 'confirm_subscription'::text)));
create policy enqueue_data_requests on account_email_outbox for insert to reachout_app with check (((current_organization_id() IS NOT NULL) AND (kind = 'confirm_data_request'::text)));
create policy enqueue_notices on account_email_outbox for insert to reachout_app with check (((current_organization_id() IS NOT NULL) AND (kind = ANY (ARRAY['domain_failing'::text, 'complaints'::text]))));
create policy sign_in on account_email_outbox for all to reachout_auth using (true);
grant insert on account_email_outbox to reachout_app;
grant delete, insert, select, update on account_email_outbox to reachout_auth;

create table account_mailbox_messages (
  id uuid not null,
  recipient text not null,
  sender text not null,
  subject text not null,
  raw bytea not null,
  received_at timestamp with time zone not null,
  constraint account_mailbox_messages_pkey PRIMARY KEY (id)
);
CREATE INDEX account_mailbox_messages_received_at_id_idx ON account_mailbox_messages USING btree (received_at DESC, id DESC);
-- Row-level security: forced
create policy sign_in on account_mailbox_messages for all to reachout_auth using (true);
grant delete, insert, select, update on account_mailbox_messages to reachout_auth;

create table accounts (
  id uuid not null,
  user_id uuid not null,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  password text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_provider_id_account_id_key UNIQUE (provider_id, account_id),
  constraint accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX accounts_user_id_idx ON accounts USING btree (user_id);
-- Row-level security: forced
create policy own on accounts for all to reachout_app using ((user_id = current_user_id()));
create policy sign_in on accounts for all to reachout_auth using (true);
grant delete, insert, select, update on accounts to reachout_app;
grant delete, insert, select, update on accounts to reachout_auth;

create table api_keys (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  prefix text not null,
  key_hash text not null,
  scopes text[] not null,
  user_id uuid not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint api_keys_pkey PRIMARY KEY (organization_id, id),
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX api_keys_organization_id_created_at_idx ON api_keys USING btree (organization_id, created_at DESC);
CREATE INDEX api_keys_user_id_idx ON api_keys USING btree (user_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table audience_reading_contacts (
  organization_id uuid not null,
  reading_id uuid not null,
  id text not null,
  pass integer not null,
  data jsonb not null,
  constraint audience_reading_contacts_pkey PRIMARY KEY (organization_id, reading_id, id),
  constraint audience_reading_contacts_id_check CHECK ((char_length(id) <= 64)),
  constraint audience_reading_contacts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint audience_reading_contacts_organization_id_reading_id_fkey FOREIGN KEY (organization_id, reading_id) REFERENCES audience_readings(organization_id, id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on audience_reading_contacts as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (reading_id IN ( SELECT r.id
   FROM audience_readings r))));

create table audience_readings (
  organization_id uuid not null,
  id uuid not null,
  send_id uuid,
  endpoint text not null,
  collection text not null,
  rule jsonb not null,
  fields text[] not null,
  rule_hash text not null,
  state text not null default 'reading'::text,
  pass integer not null default 1,
  expected_count bigint,
  page_count integer not null default 0,
  next_offset bigint not null default 0,
  last_key text,
  seen_count bigint not null default 0,
  contact_count bigint not null default 0,
  byte_count bigint not null default 0,
  failure text,
  error_content text,
  began_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint audience_readings_pkey PRIMARY KEY (organization_id, id),
  constraint audience_readings_check CHECK (((state = 'reading'::text) = (ended_at IS NULL))),
  constraint audience_readings_collection_check CHECK ((collection ~ '^[a-z][a-z0-9_]{0,62}$'::text)),
  constraint audience_readings_endpoint_check CHECK (((char_length(endpoint) >= 1) AND (char_length(endpoint) <= 500))),
  constraint audience_readings_error_content_check CHECK ((char_length(error_content) <= 500)),
  constraint audience_readings_failure_check CHECK ((char_length(failure) <= 40)),
  constraint audience_readings_fields_check CHECK (((cardinality(fields) >= 1) AND (cardinality(fields) <= 501))),
  constraint audience_readings_last_key_check CHECK ((char_length(last_key) <= 64)),
  constraint audience_readings_rule_hash_check CHECK ((char_length(rule_hash) = 64)),
  constraint audience_readings_state_check CHECK ((state = ANY (ARRAY['reading'::text, 'ready'::text, 'failed'::text, 'over'::text]))),
  constraint audience_readings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint audience_readings_organization_id_send_id_fkey FOREIGN KEY (organization_id, send_id) REFERENCES touchpoint_sends(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX audience_readings_organization_id_rule_hash_began_at_idx ON audience_readings USING btree (organization_id, rule_hash, began_at);
CREATE UNIQUE INDEX audience_readings_organization_id_send_id_idx ON audience_readings USING btree (organization_id, send_id) WHERE (send_id IS NOT NULL);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on audience_readings as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (collection IN ( SELECT c.collection
   FROM directus_collections c))));

create table audit_log (
  organization_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null default now(),
  user_id uuid,
  api_key_id uuid,
  action text not null,
  record_type text,
  record_id text,
  record_name text,
  details jsonb not null default '{}'::jsonb,
  ip_address text,
  user_agent text,
  constraint audit_log_pkey PRIMARY KEY (organization_id, id),
  constraint audit_log_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX audit_log_organization_id_at_id_idx ON audit_log USING btree (organization_id, at DESC, id DESC);
CREATE INDEX audit_log_organization_id_record_id_at_idx ON audit_log USING btree (organization_id, record_id, at DESC);
CREATE INDEX audit_log_user_id_idx ON audit_log USING btree (user_id);
-- policies/tenants.sql: row-level security, policies tenant and definer
create policy erase on audit_log for update to owner using ((current_user_id() IS NOT NULL));
create policy sign_in on audit_log for insert to owner with check (((action = 'sign_in'::text) AND (user_id = current_user_id())));
grant insert, select on audit_log to reachout_app;

create table brands (
  organization_id uuid not null,
  id uuid not null,
  client_id uuid not null,
  name text not null,
  logo_url text,
  deleted boolean not null default false,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  color text not null,
  dark_logo_url text,
  from_name text not null default ''::text,
  from_email text not null default ''::text,
  reply_to text,
  postal_address text not null default ''::text,
  imprint text not null default ''::text,
  imprint_url text,
  time_zone text,
  quiet_hours_start time without time zone,
  quiet_hours_end time without time zone,
  tracking_policy text not null default 'with_consent'::text,
  constraint brands_pkey PRIMARY KEY (organization_id, id),
  constraint brands_organization_id_client_id_id_key UNIQUE (organization_id, client_id, id),
  constraint brands_color_check CHECK ((color = ANY (ARRAY['red'::text, 'orange'::text, 'amber'::text, 'olive'::text, 'green'::text, 'teal'::text, 'cyan'::text, 'blue'::text, 'indigo'::text, 'violet'::text, 'magenta'::text, 'slate'::text]))),
  constraint brands_from_email_check CHECK ((char_length(from_email) <= 254)),
  constraint brands_from_name_check CHECK ((char_length(from_name) <= 120)),
  constraint brands_imprint_check CHECK ((char_length(imprint) <= 2000)),
  constraint brands_imprint_url_check CHECK ((char_length(imprint_url) <= 2000)),
  constraint brands_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint brands_postal_address_check CHECK ((char_length(postal_address) <= 500)),
  constraint brands_quiet_hours_check CHECK ((((quiet_hours_start IS NULL) = (quiet_hours_end IS NULL)) AND ((quiet_hours_start IS NULL) OR (quiet_hours_start <> quiet_hours_end)))),
  constraint brands_reply_to_check CHECK ((char_length(reply_to) <= 254)),
  constraint brands_time_zone_check CHECK (((char_length(time_zone) >= 1) AND (char_length(time_zone) <= 64))),
  constraint brands_tracking_policy_check CHECK ((tracking_policy = ANY (ARRAY['everyone'::text, 'with_consent'::text, 'nobody'::text]))),
  constraint brands_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id) ON DELETE CASCADE,
  constraint brands_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX brands_deleted_at_idx ON brands USING btree (deleted_at) WHERE deleted;
CREATE INDEX brands_id_idx ON brands USING btree (id);
CREATE INDEX brands_organization_id_client_id_idx ON brands USING btree (organization_id, client_id);
CREATE INDEX brands_organization_id_dark_logo_url_idx ON brands USING btree (organization_id, dark_logo_url) WHERE (dark_logo_url IS NOT NULL);
CREATE INDEX brands_organization_id_logo_url_idx ON brands USING btree (organization_id, logo_url) WHERE (logo_url IS NOT NULL);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on brands as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (client_id = ANY (( SELECT access_scope_client_ids() AS access_scope_client_ids)::uuid[])) OR (id = ANY (( SELECT access_scope_brand_ids() AS access_scope_brand_ids)::uuid[]))));

create table campaign_domains (
  organization_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  domain_id uuid not null,
  constraint campaign_domains_pkey PRIMARY KEY (organization_id, id),
  constraint campaign_domains_organization_id_campaign_id_domain_id_key UNIQUE (organization_id, campaign_id, domain_id),
  constraint campaign_domains_organization_id_campaign_id_fkey FOREIGN KEY (organization_id, campaign_id) REFERENCES campaigns(organization_id, id) ON DELETE CASCADE,
  constraint campaign_domains_organization_id_domain_id_fkey FOREIGN KEY (organization_id, domain_id) REFERENCES sending_domains(organization_id, id) ON DELETE CASCADE,
  constraint campaign_domains_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX campaign_domains_organization_id_domain_id_idx ON campaign_domains USING btree (organization_id, domain_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on campaign_domains as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (campaign_id IN ( SELECT c.id
   FROM campaigns c))));

create table campaigns (
  organization_id uuid not null,
  id uuid not null,
  brand_id uuid not null,
  name text not null,
  status text not null default 'draft'::text,
  deleted boolean not null default false,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint campaigns_pkey PRIMARY KEY (organization_id, id),
  constraint campaigns_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint campaigns_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'running'::text, 'paused'::text, 'completed'::text, 'archived'::text]))),
  constraint campaigns_organization_id_brand_id_fkey FOREIGN KEY (organization_id, brand_id) REFERENCES brands(organization_id, id) ON DELETE CASCADE,
  constraint campaigns_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX campaigns_deleted_at_idx ON campaigns USING btree (deleted_at) WHERE deleted;
CREATE INDEX campaigns_id_idx ON campaigns USING btree (id);
CREATE INDEX campaigns_organization_id_brand_id_idx ON campaigns USING btree (organization_id, brand_id);
CREATE INDEX campaigns_organization_id_updated_at_idx ON campaigns USING btree (organization_id, updated_at DESC);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on campaigns as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[]))));

create table choices (
  organization_id uuid not null,
  id uuid not null default gen_random_uuid(),
  address_key text not null,
  brand_id uuid,
  kind text not null,
  topic_id uuid,
  value text not null,
  until timestamp with time zone,
  source text,
  send_id uuid,
  seq integer,
  created_by uuid,
  import_id uuid,
  note text,
  occurred_at timestamp with time zone,
  changed_at timestamp with time zone not null default now(),
  failed_send_id uuid generated always as (
CASE
    WHEN (kind = 'failure'::text) THEN send_id
    ELSE NULL::uuid
END) stored,
  constraint choices_pkey PRIMARY KEY (organization_id, id),
  constraint choices_key UNIQUE NULLS NOT DISTINCT (organization_id, address_key, kind, brand_id, topic_id, failed_send_id),
  constraint choices_check CHECK (((brand_id IS NOT NULL) OR (kind = ANY (ARRAY['suppression'::text, 'failure'::text])))),
  constraint choices_check1 CHECK (((topic_id IS NOT NULL) = (kind = 'topic'::text))),
  constraint choices_check2 CHECK (((until IS NOT NULL) = (kind = ANY (ARRAY['pause'::text, 'failure'::text])))),
  constraint choices_check3 CHECK (((kind = 'suppression'::text) = (value = ANY (ARRAY['bounce'::text, 'complaint'::text, 'unsubscribe'::text, 'manual'::text])))),
  constraint choices_check4 CHECK (((kind = 'topic'::text) = (value = ANY (ARRAY['subscribed'::text, 'not_subscribed'::text])))),
  constraint choices_check5 CHECK (((kind = 'pause'::text) = (value = 'paused'::text))),
  constraint choices_check6 CHECK (((source IS NULL) = (kind = ANY (ARRAY['suppression'::text, 'failure'::text])))),
  constraint choices_check7 CHECK (((kind = 'failure'::text) = (value = ANY (ARRAY['address_likely'::text, 'domain_hard'::text, 'routing_soft'::text, 'mailbox_full'::text, 'expired'::text, 'unknown'::text])))),
  constraint choices_kind_check CHECK ((kind = ANY (ARRAY['suppression'::text, 'topic'::text, 'pause'::text, 'tracking'::text, 'failure'::text]))),
  constraint choices_source_check CHECK ((source = ANY (ARRAY['preferences'::text, 'sign_up'::text, 'member'::text]))),
  constraint choices_value_check CHECK ((value = ANY (ARRAY['bounce'::text, 'complaint'::text, 'unsubscribe'::text, 'manual'::text, 'subscribed'::text, 'not_subscribed'::text, 'paused'::text, 'allowed'::text, 'refused'::text, 'address_likely'::text, 'domain_hard'::text, 'routing_soft'::text, 'mailbox_full'::text, 'expired'::text, 'unknown'::text]))),
  constraint choices_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint choices_organization_id_brand_id_fkey FOREIGN KEY (organization_id, brand_id) REFERENCES brands(organization_id, id) ON DELETE CASCADE,
  constraint choices_organization_id_brand_id_topic_id_fkey FOREIGN KEY (organization_id, brand_id, topic_id) REFERENCES topics(organization_id, brand_id, id) ON DELETE CASCADE,
  constraint choices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX choices_created_by_idx ON choices USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX choices_organization_id_brand_id_idx ON choices USING btree (organization_id, brand_id) WHERE (brand_id IS NOT NULL);
CREATE INDEX choices_organization_id_kind_changed_at_id_idx ON choices USING btree (organization_id, kind, changed_at, id);
CREATE INDEX choices_organization_id_send_id_changed_at_idx ON choices USING btree (organization_id, send_id, changed_at) WHERE (send_id IS NOT NULL);
CREATE INDEX choices_organization_id_topic_id_idx ON choices USING btree (organization_id, topic_id) WHERE (topic_id IS NOT NULL);
CREATE INDEX choices_until_idx ON choices USING btree (until) WHERE (kind = 'failure'::text);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on choices as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (brand_id IS NULL) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[])))) with check ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[]))));
create policy retention on choices for delete to owner using (((kind = 'failure'::text) AND (until < now())));

create table click_reviews (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  send_id uuid not null,
  seq integer not null,
  first_at timestamp with time zone not null,
  constraint click_reviews_pkey PRIMARY KEY (organization_id, send_id, seq)
);
CREATE INDEX click_reviews_first_at_idx ON click_reviews USING btree (first_at);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy fold on click_reviews for insert to owner with check (true);
create policy review on click_reviews for delete to owner using (true);

create table client_addresses (
  organization_id uuid not null,
  id uuid not null,
  client_id uuid not null,
  line1 text not null,
  line2 text,
  postal_code text,
  city text not null,
  region text,
  country_id text not null,
  deleted boolean not null default false,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint client_addresses_pkey PRIMARY KEY (organization_id, id),
  constraint client_addresses_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id) ON DELETE RESTRICT,
  constraint client_addresses_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id) ON DELETE CASCADE,
  constraint client_addresses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX client_addresses_deleted_at_idx ON client_addresses USING btree (deleted_at) WHERE deleted;
CREATE INDEX client_addresses_organization_id_client_id_idx ON client_addresses USING btree (organization_id, client_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on client_addresses as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (client_id = ANY (( SELECT access_scope_client_ids() AS access_scope_client_ids)::uuid[]))));
create policy retention on client_addresses for delete to owner using ((deleted AND (deleted_at < (now() - '30 days'::interval))));

create table client_contact_types (
  id text not null,
  name text not null,
  constraint client_contact_types_pkey PRIMARY KEY (id)
);
grant select on client_contact_types to reachout_app;

create table client_contacts (
  organization_id uuid not null,
  id uuid not null,
  client_id uuid not null,
  contact_type_id text not null,
  full_name text not null,
  email text,
  phone text,
  deleted boolean not null default false,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint client_contacts_pkey PRIMARY KEY (organization_id, id),
  constraint client_contacts_contact_type_id_fkey FOREIGN KEY (contact_type_id) REFERENCES client_contact_types(id) ON DELETE RESTRICT,
  constraint client_contacts_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id) ON DELETE CASCADE,
  constraint client_contacts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX client_contacts_deleted_at_idx ON client_contacts USING btree (deleted_at) WHERE deleted;
CREATE INDEX client_contacts_organization_id_client_id_idx ON client_contacts USING btree (organization_id, client_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on client_contacts as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (client_id = ANY (( SELECT access_scope_client_ids() AS access_scope_client_ids)::uuid[]))));
create policy retention on client_contacts for delete to owner using ((deleted AND (deleted_at < (now() - '30 days'::interval))));

create table client_socials (
  organization_id uuid not null,
  id uuid not null,
  client_id uuid not null,
  network text not null,
  url text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint client_socials_pkey PRIMARY KEY (organization_id, id),
  constraint client_socials_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id) ON DELETE CASCADE,
  constraint client_socials_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX client_socials_organization_id_client_id_idx ON client_socials USING btree (organization_id, client_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on client_socials as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (client_id = ANY (( SELECT access_scope_client_ids() AS access_scope_client_ids)::uuid[]))));

create table clients (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  logo_url text,
  deleted boolean not null default false,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint clients_pkey PRIMARY KEY (organization_id, id),
  constraint clients_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint clients_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX clients_deleted_at_idx ON clients USING btree (deleted_at) WHERE deleted;
CREATE INDEX clients_id_idx ON clients USING btree (id);
CREATE INDEX clients_organization_id_logo_url_idx ON clients USING btree (organization_id, logo_url) WHERE (logo_url IS NOT NULL);
CREATE INDEX clients_organization_id_lower_idx ON clients USING btree (organization_id, lower(name));
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on clients as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (id = ANY (( SELECT access_scope_client_ids() AS access_scope_client_ids)::uuid[])) OR (id IN ( SELECT b.client_id
   FROM brands b
  WHERE (b.id = ANY (( SELECT access_scope_brand_ids() AS access_scope_brand_ids)::uuid[])))))) with check ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (id = ANY (( SELECT access_scope_client_ids() AS access_scope_client_ids)::uuid[]))));

create table complaint_limits (
  organization_id uuid not null,
  brand_id uuid not null,
  domain text not null,
  action text not null,
  acted_at timestamp with time zone not null default now(),
  constraint complaint_limits_pkey PRIMARY KEY (organization_id, brand_id, domain, action),
  constraint complaint_limits_action_check CHECK ((action = ANY (ARRAY['warn'::text, 'pause'::text]))),
  constraint complaint_limits_organization_id_brand_id_fkey FOREIGN KEY (organization_id, brand_id) REFERENCES brands(organization_id, id) ON DELETE CASCADE,
  constraint complaint_limits_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table contact_changes (
  organization_id uuid not null,
  position bigint not null generated always as identity,
  collection text not null,
  contact_id text not null,
  field text,
  value text,
  at timestamp with time zone not null default now(),
  constraint contact_changes_pkey PRIMARY KEY (organization_id, "position")
);
CREATE INDEX contact_changes_position_idx ON contact_changes USING btree ("position");
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy note on contact_changes for all to owner using (true);

create table contact_deliveries (
  organization_id uuid not null,
  send_id uuid not null,
  last_hash integer not null,
  hashes integer[] not null,
  seqs integer[] not null,
  constraint contact_deliveries_pkey PRIMARY KEY (organization_id, send_id, last_hash),
  constraint contact_deliveries_check CHECK ((cardinality(seqs) = cardinality(hashes))),
  constraint contact_deliveries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table contact_notes (
  organization_id uuid not null,
  collection text not null,
  contact_id text not null,
  id uuid not null,
  text text not null,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  constraint count_changed_text TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_deleted_text TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_new_text TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint contact_notes_pkey PRIMARY KEY (organization_id, collection, contact_id, id),
  constraint contact_notes_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 4000))),
  constraint contact_notes_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint contact_notes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX contact_notes_created_by_idx ON contact_notes USING btree (created_by) WHERE (created_by IS NOT NULL);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table content_collections (
  organization_id uuid not null,
  collection text not null,
  hidden boolean not null default false,
  items_count bigint not null default 0,
  client_id uuid,
  brand_id uuid,
  label text,
  sort integer,
  items_bytes bigint not null default 0,
  constraint content_collections_pkey PRIMARY KEY (organization_id, collection),
  constraint content_collections_check CHECK (((brand_id IS NULL) OR (client_id IS NOT NULL))),
  constraint content_collections_collection_check CHECK ((collection ~ '^[a-z][a-z0-9_]{0,62}$'::text)),
  constraint content_collections_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 120))),
  constraint content_collections_organization_id_client_id_brand_id_fkey FOREIGN KEY (organization_id, client_id, brand_id) REFERENCES brands(organization_id, client_id, id) ON DELETE CASCADE,
  constraint content_collections_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id) ON DELETE CASCADE,
  constraint content_collections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX content_collections_organization_id_client_id_brand_id_idx ON content_collections USING btree (organization_id, client_id, brand_id) WHERE (client_id IS NOT NULL);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on content_collections as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (client_id = ANY (( SELECT access_scope_client_ids() AS access_scope_client_ids)::uuid[])) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[])) OR ((client_id IS NULL) AND ((organization_id = ANY (( SELECT access_scope_content_organization_ids() AS access_scope_content_organization_ids)::uuid[])) OR starts_with(collection, 'reachout_'::text)))));

create table content_fields (
  organization_id uuid not null,
  collection text not null,
  field text not null,
  type text not null,
  required boolean not null default false,
  is_unique boolean not null default false,
  hidden boolean not null default false,
  readonly boolean not null default false,
  default_value jsonb,
  label text,
  interface text,
  choices jsonb,
  sort integer,
  constraint content_fields_pkey PRIMARY KEY (organization_id, collection, field),
  constraint content_fields_field_check CHECK ((field ~ '^[a-z][a-z0-9_]{0,62}$'::text)),
  constraint content_fields_interface_check CHECK ((interface = ANY (ARRAY['email'::text, 'select'::text, 'tags'::text, 'image'::text, 'rich_text'::text]))),
  constraint content_fields_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 120))),
  constraint content_fields_type_check CHECK ((type = ANY (ARRAY['string'::text, 'text'::text, 'integer'::text, 'bigInteger'::text, 'float'::text, 'decimal'::text, 'boolean'::text, 'date'::text, 'dateTime'::text, 'timestamp'::text, 'time'::text, 'uuid'::text, 'json'::text, 'csv'::text]))),
  constraint content_fields_organization_id_collection_fkey FOREIGN KEY (organization_id, collection) REFERENCES content_collections(organization_id, collection) ON DELETE CASCADE,
  constraint content_fields_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table content_files (
  organization_id uuid not null,
  id uuid not null,
  filename_download text not null,
  title text,
  type text not null,
  filesize bigint not null,
  user_created uuid,
  date_created timestamp with time zone not null default now(),
  public_key text,
  brand_id uuid,
  bucket text not null,
  path text not null,
  bytes_id uuid not null,
  constraint content_files_pkey PRIMARY KEY (organization_id, id),
  constraint content_files_organization_id_bucket_path_key UNIQUE (organization_id, bucket, path),
  constraint content_files_bucket_check CHECK ((bucket = ANY (ARRAY['images'::text, 'documents'::text]))),
  constraint content_files_filename_download_check CHECK (((char_length(filename_download) >= 1) AND (char_length(filename_download) <= 255))),
  constraint content_files_path_check CHECK (((char_length(path) >= 1) AND (char_length(path) <= 1004))),
  constraint content_files_path_check1 CHECK ((octet_length(path) <= 2000)),
  constraint content_files_public_key_check CHECK ((public_key ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint content_files_organization_id_brand_id_fkey FOREIGN KEY (organization_id, brand_id) REFERENCES brands(organization_id, id) ON DELETE SET NULL (brand_id),
  constraint content_files_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint content_files_user_created_fkey FOREIGN KEY (user_created) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX content_files_organization_id_brand_id_date_created_id_idx ON content_files USING btree (organization_id, brand_id, date_created, id) WHERE (brand_id IS NOT NULL);
CREATE INDEX content_files_organization_id_date_created_id_idx ON content_files USING btree (organization_id, date_created, id);
CREATE INDEX content_files_public_key_idx ON content_files USING btree (public_key) WHERE (public_key IS NOT NULL);
CREATE INDEX content_files_user_created_idx ON content_files USING btree (user_created) WHERE (user_created IS NOT NULL);
CREATE UNIQUE INDEX content_files_organization_id_bytes_id_idx ON content_files USING btree (organization_id, bytes_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table content_import_parts (
  organization_id uuid not null,
  import_id uuid not null,
  first_byte bigint not null,
  bytes bytea not null,
  constraint content_import_parts_pkey PRIMARY KEY (organization_id, import_id, first_byte),
  constraint content_import_parts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table content_import_rejections (
  organization_id uuid not null,
  import_id uuid not null,
  line bigint not null,
  field text,
  record jsonb not null,
  error jsonb not null,
  kind text not null,
  left_out jsonb,
  end_byte bigint not null,
  constraint content_import_rejections_pkey PRIMARY KEY (organization_id, import_id, kind, end_byte),
  constraint content_import_rejections_check CHECK (((kind = 'left_out'::text) = (left_out IS NOT NULL))),
  constraint content_import_rejections_kind_check CHECK ((kind = ANY (ARRAY['rejected'::text, 'left_out'::text]))),
  constraint content_import_rejections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table content_imports (
  organization_id uuid not null,
  id uuid not null,
  collection text not null,
  file_name text not null,
  settings jsonb not null,
  status text not null default 'uploading'::text,
  bytes_total bigint not null default 0,
  bytes_done bigint not null default 0,
  line_done bigint not null default 0,
  rows_done bigint not null default 0,
  created_count bigint not null default 0,
  updated_count bigint not null default 0,
  unchanged_count bigint not null default 0,
  rejected_count bigint not null default 0,
  user_created uuid,
  created_at timestamp with time zone not null default now(),
  end_date timestamp with time zone,
  merged_count bigint not null default 0,
  error jsonb,
  yields_to_sends boolean not null default false,
  endpoint text,
  left_out_count bigint not null default 0,
  constraint content_imports_pkey PRIMARY KEY (organization_id, id),
  constraint content_imports_endpoint_check CHECK (((char_length(endpoint) >= 1) AND (char_length(endpoint) <= 500))),
  constraint content_imports_rows_check CHECK ((rows_done = ((((created_count + updated_count) + unchanged_count) + merged_count) + rejected_count))),
  constraint content_imports_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'checking'::text, 'checked'::text, 'queued'::text, 'running'::text, 'completed'::text, 'failed'::text]))),
  constraint content_imports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX content_imports_id_idx ON content_imports USING btree (id);
CREATE INDEX content_imports_organization_id_created_at_idx ON content_imports USING btree (organization_id, created_at DESC);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on content_imports as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR
CASE
    WHEN (endpoint IS NULL) THEN (collection IN ( SELECT c.collection
       FROM content_collections c))
    ELSE (collection IN ( SELECT c.collection
       FROM directus_collections c))
END));

create table content_items (
  organization_id uuid not null,
  collection text not null,
  id text not null,
  data jsonb not null,
  user_created uuid,
  date_created timestamp with time zone not null default now(),
  date_updated timestamp with time zone not null default now(),
  has_ordinary_email boolean not null generated always as (COALESCE(((octet_length((data ->> 'email'::text)) < 66) AND ((data ->> 'email'::text) ~ '^[a-z0-9_+][a-z0-9_+-]*(?:[.][a-z0-9_+-]+)*@(?:[a-z0-9]+[.-])*[a-z0-9]+[.][a-z][a-z]+$'::text)), false)) stored,
  constraint content_items_pkey PRIMARY KEY (organization_id, collection, id)
);
CREATE INDEX content_items_organization_id_collection_date_created_id_idx ON content_items USING btree (organization_id, collection, date_created, id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on content_items as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR
CASE
    WHEN (collection <> 'reachout_templates'::text) THEN (collection = ANY (( SELECT access_scope_collections() AS access_scope_collections)::text[]))
    WHEN ((data ->> 'client'::text) IS NULL) THEN (organization_id = ANY (( SELECT access_scope_template_organization_ids() AS access_scope_template_organization_ids)::uuid[]))
    ELSE ((((data ->> 'client'::text))::uuid = ANY (( SELECT access_scope_client_ids() AS access_scope_client_ids)::uuid[])) OR (((data ->> 'brand'::text))::uuid = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[])))
END));
create policy own_items on content_items as restrictive for all to reachout_app using ((has_full_item_scope() OR (user_created = current_user_id())));

create table content_outbox (
  organization_id uuid not null,
  collection text not null,
  id uuid not null,
  version integer not null default 1,
  with_children boolean not null default false,
  state text not null default 'waiting'::text,
  attempts smallint not null default 0,
  error_content text,
  changed_at timestamp with time zone not null default now(),
  tried_at timestamp with time zone,
  constraint content_outbox_pkey PRIMARY KEY (organization_id, collection, id),
  constraint content_outbox_collection_check CHECK ((collection = ANY (ARRAY['reachout_clients'::text, 'reachout_brands'::text, 'reachout_campaigns'::text, 'reachout_touchpoints'::text, 'reachout_templates'::text]))),
  constraint content_outbox_error_content_check CHECK ((char_length(error_content) <= 500)),
  constraint content_outbox_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'failed'::text]))),
  constraint content_outbox_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX content_outbox_changed_at_idx ON content_outbox USING btree (changed_at) WHERE (state = 'waiting'::text);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table content_presets (
  organization_id uuid not null,
  id uuid not null,
  collection text not null,
  bookmark text not null,
  user_id uuid,
  search text,
  filter jsonb,
  layout_query jsonb not null,
  date_updated timestamp with time zone not null default now(),
  constraint content_presets_pkey PRIMARY KEY (organization_id, id),
  constraint content_presets_bookmark_check CHECK (((char_length(bookmark) >= 1) AND (char_length(bookmark) <= 120))),
  constraint content_presets_organization_id_collection_fkey FOREIGN KEY (organization_id, collection) REFERENCES content_collections(organization_id, collection) ON DELETE CASCADE,
  constraint content_presets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint content_presets_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES organization_users(organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX content_presets_organization_id_collection_idx ON content_presets USING btree (organization_id, collection);
CREATE INDEX content_presets_organization_id_user_id_idx ON content_presets USING btree (organization_id, user_id) WHERE (user_id IS NOT NULL);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on content_presets as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (collection IN ( SELECT c.collection
   FROM content_collections c))));

create table content_search_queue (
  organization_id uuid not null,
  id bigint not null generated always as identity,
  collection text not null,
  item_ids text[] not null,
  constraint content_search_queue_pkey PRIMARY KEY (organization_id, id),
  constraint content_search_queue_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table content_search_texts (
  organization_id uuid not null,
  collection text not null,
  item_id text not null,
  text text not null,
  constraint content_search_texts_pkey PRIMARY KEY (organization_id, collection, item_id)
);
CREATE INDEX content_search_texts_text_idx ON content_search_texts USING gin (((((organization_id)::text || ' '::text) || collection)), text extensions.gin_trgm_ops);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table content_shares (
  organization_id uuid not null,
  id uuid not null,
  name text,
  collection text not null,
  item_id text not null,
  role text,
  password_hash text,
  date_start timestamp with time zone,
  date_end timestamp with time zone,
  max_uses integer,
  times_used integer not null default 0,
  user_created uuid not null,
  date_created timestamp with time zone not null default now(),
  constraint content_shares_pkey PRIMARY KEY (organization_id, id),
  constraint content_shares_max_uses_check CHECK ((max_uses > 0)),
  constraint content_shares_organization_id_collection_fkey FOREIGN KEY (organization_id, collection) REFERENCES content_collections(organization_id, collection) ON DELETE CASCADE,
  constraint content_shares_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint content_shares_organization_id_user_created_fkey FOREIGN KEY (organization_id, user_created) REFERENCES organization_users(organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX content_shares_organization_id_collection_idx ON content_shares USING btree (organization_id, collection);
CREATE INDEX content_shares_organization_id_user_created_idx ON content_shares USING btree (organization_id, user_created);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on content_shares as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (collection IN ( SELECT c.collection
   FROM content_collections c))));

create table content_unique_values (
  organization_id uuid not null,
  collection text not null,
  field text not null,
  value text not null,
  item_id text not null,
  constraint content_unique_values_pkey PRIMARY KEY (organization_id, collection, field, value)
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table contents (
  name text not null,
  locale text not null,
  title text not null,
  content text not null,
  is_draft boolean not null default false,
  updated_at timestamp with time zone not null default now(),
  constraint contents_pkey PRIMARY KEY (name, locale),
  constraint contents_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'de'::text]))),
  constraint contents_name_check CHECK ((name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text))
);
grant select on contents to reachout_app;
grant delete, insert, update on contents to reachout_auth;

create table conversion_changes (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  position bigint not null generated always as identity,
  goal_id uuid not null,
  at timestamp with time zone not null,
  count integer not null,
  value numeric not null,
  attributed integer not null,
  constraint conversion_changes_pkey PRIMARY KEY (organization_id, touchpoint_id, "position")
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy fold on conversion_changes for all to owner using (true);

create table conversion_goals (
  organization_id uuid not null,
  id uuid not null,
  touchpoint_id uuid not null,
  event text not null,
  value numeric(12,2),
  window_days integer not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint conversion_goals_pkey PRIMARY KEY (organization_id, id),
  constraint conversion_goals_organization_id_touchpoint_id_event_key UNIQUE (organization_id, touchpoint_id, event),
  constraint conversion_goals_event_check CHECK (((char_length(event) >= 1) AND (char_length(event) <= 255))),
  constraint conversion_goals_value_check CHECK ((value >= (0)::numeric)),
  constraint conversion_goals_window_days_check CHECK (((window_days >= 1) AND (window_days <= 90))),
  constraint conversion_goals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint conversion_goals_organization_id_touchpoint_id_fkey FOREIGN KEY (organization_id, touchpoint_id) REFERENCES touchpoints(organization_id, id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table conversions (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  event_id uuid not null,
  goal_id uuid not null,
  at timestamp with time zone not null,
  window_days integer not null,
  value numeric(12,2),
  visitor_id uuid,
  email_touchpoint_id uuid,
  send_id uuid,
  seq integer,
  constraint conversions_pkey PRIMARY KEY (organization_id, touchpoint_id, event_id),
  constraint conversions_check CHECK ((((send_id IS NULL) = (seq IS NULL)) AND ((send_id IS NULL) = (email_touchpoint_id IS NULL))))
);
CREATE INDEX conversions_attributed ON conversions USING btree (organization_id, touchpoint_id, at) INCLUDE (goal_id, value, email_touchpoint_id, send_id, seq) WHERE (send_id IS NOT NULL);
CREATE INDEX conversions_by_message ON conversions USING btree (organization_id, touchpoint_id, email_touchpoint_id, send_id, seq) INCLUDE (at, goal_id, value) WHERE (send_id IS NOT NULL);
CREATE INDEX conversions_of_email ON conversions USING btree (organization_id, email_touchpoint_id, send_id, seq, at) INCLUDE (goal_id, value) WHERE (send_id IS NOT NULL);
CREATE INDEX conversions_of_goal ON conversions USING btree (organization_id, goal_id);
CREATE INDEX conversions_of_visitor ON conversions USING btree (organization_id, touchpoint_id, visitor_id, at) WHERE (visitor_id IS NOT NULL);
CREATE INDEX conversions_of_website ON conversions USING btree (organization_id, touchpoint_id, at) INCLUDE (goal_id, value, send_id, visitor_id, event_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table countries (
  id text not null,
  name text not null,
  constraint countries_pkey PRIMARY KEY (id),
  constraint countries_id_check CHECK ((id ~ '^[A-Z]{2}$'::text))
);
grant select on countries to reachout_app;

create table counts (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  subject_id uuid not null,
  dimension text not null,
  value text not null,
  day date not null,
  running_counts bigint[] not null,
  running_amounts numeric[],
  constraint counts_pkey PRIMARY KEY (organization_id, touchpoint_id, day, dimension, value, subject_id)
);
CREATE INDEX counts_by_day ON counts USING btree (organization_id, value, dimension, day);
CREATE INDEX counts_of_subject ON counts USING btree (organization_id, subject_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy fold on counts for insert to owner with check (true);
create policy fold_again on counts for update to owner using (true);

create table data_request_records (
  organization_id uuid not null,
  request_id uuid not null,
  list text not null,
  position integer not null,
  record text not null,
  constraint data_request_records_pkey PRIMARY KEY (organization_id, request_id, list, "position"),
  constraint data_request_records_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint data_request_records_organization_id_request_id_fkey FOREIGN KEY (organization_id, request_id) REFERENCES data_requests(organization_id, id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table data_requests (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  brand_id uuid not null,
  send_id uuid not null,
  seq integer not null,
  address_key text,
  language text not null,
  state text not null default 'unconfirmed'::text,
  requested_at timestamp with time zone not null default now(),
  confirmed_at timestamp with time zone,
  ended_at timestamp with time zone,
  failure text,
  error_content text,
  copy jsonb,
  constraint data_requests_pkey PRIMARY KEY (organization_id, id),
  constraint data_requests_address_key_check CHECK (((char_length(address_key) >= 3) AND (char_length(address_key) <= 254))),
  constraint data_requests_check CHECK (((confirmed_at IS NULL) = (state = 'unconfirmed'::text))),
  constraint data_requests_check1 CHECK (((ended_at IS NOT NULL) = (state = 'done'::text))),
  constraint data_requests_check2 CHECK (((address_key IS NOT NULL) OR (state = 'done'::text))),
  constraint data_requests_error_content_check CHECK ((char_length(error_content) <= 500)),
  constraint data_requests_failure_check CHECK ((char_length(failure) <= 40)),
  constraint data_requests_kind_check CHECK ((kind = ANY (ARRAY['copy'::text, 'erasure'::text]))),
  constraint data_requests_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text]))),
  constraint data_requests_state_check CHECK ((state = ANY (ARRAY['unconfirmed'::text, 'running'::text, 'waiting'::text, 'done'::text, 'failed'::text]))),
  constraint data_requests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX data_requests_id_idx ON data_requests USING btree (id);
CREATE INDEX data_requests_kept ON data_requests USING btree (requested_at) WHERE ((state = 'unconfirmed'::text) OR (address_key IS NOT NULL));
CREATE INDEX data_requests_organization_id_address_key_idx ON data_requests USING btree (organization_id, address_key) WHERE (address_key IS NOT NULL);
CREATE INDEX data_requests_organization_id_requested_at_id_idx ON data_requests USING btree (organization_id, requested_at DESC, id DESC);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table deleted_collections (
  organization_id uuid not null,
  collection text not null,
  created_at timestamp with time zone not null default now(),
  constraint deleted_collections_pkey PRIMARY KEY (organization_id, collection),
  constraint deleted_collections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX deleted_collections_created_at_idx ON deleted_collections USING btree (created_at);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table deliveries (
  organization_id uuid not null,
  send_id uuid not null,
  seq integer not null,
  contact_id text not null,
  address text not null,
  variables jsonb not null,
  tracked boolean not null default true,
  tracking_consent boolean,
  constraint deliveries_pkey PRIMARY KEY (organization_id, send_id, seq)
) partition by RANGE (send_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table delivery_chunks (
  organization_id uuid not null,
  send_id uuid not null,
  first_seq integer not null,
  last_seq integer not null,
  marked_up_to integer not null,
  done boolean not null default false,
  worker_id integer,
  lease_token integer not null default 0,
  lease_until timestamp with time zone,
  sent_count integer not null default 0,
  bounced_count integer not null default 0,
  failed_count integer not null default 0,
  suppressed_count integer not null default 0,
  uncertain_count integer not null default 0,
  lane text not null default 'other'::text,
  counted boolean not null default false,
  not_before timestamp with time zone,
  not_measured_count integer not null default 0,
  constraint delivery_chunks_pkey PRIMARY KEY (organization_id, send_id, first_seq),
  constraint delivery_chunks_check CHECK (((not_measured_count >= 0) AND (not_measured_count <= sent_count))),
  constraint delivery_chunks_check1 CHECK (((worker_id IS NOT NULL) OR (done AND (NOT counted)) OR ((sent_count = 0) AND (bounced_count = 0) AND (failed_count = 0) AND (suppressed_count = 0) AND (uncertain_count = 0)))),
  constraint delivery_chunks_lane_check CHECK ((lane = ANY (ARRAY['google'::text, 'outlook'::text, 'microsoft_365'::text, 'yahoo'::text, 'gmx'::text, 't_online'::text, 'icloud'::text, 'other'::text]))),
  constraint delivery_chunks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX delivery_chunks_leased ON delivery_chunks USING btree (organization_id, send_id) WHERE (worker_id IS NOT NULL);
CREATE INDEX delivery_chunks_open ON delivery_chunks USING btree (organization_id, send_id, lane, first_seq) WHERE (NOT done);
CREATE INDEX delivery_chunks_uncounted ON delivery_chunks USING btree (organization_id, send_id) WHERE ((lease_token > 0) AND (NOT counted));
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table delivery_event_counts (
  organization_id uuid not null,
  send_id uuid not null,
  type text not null,
  seq integer not null,
  link_no integer not null,
  touchpoint_id uuid not null,
  human_count bigint not null,
  bot_count bigint not null,
  first_human_at timestamp with time zone,
  constraint delivery_event_counts_pkey PRIMARY KEY (organization_id, send_id, type, seq, link_no)
);
CREATE INDEX delivery_event_counts_organization_id_touchpoint_id_type_fi_idx ON delivery_event_counts USING btree (organization_id, touchpoint_id, type, first_human_at) WHERE (link_no = '-1'::integer);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy fold on delivery_event_counts for insert to owner with check (true);
create policy fold_again on delivery_event_counts for update to owner using (true);

create table delivery_exclusions (
  organization_id uuid not null,
  send_id uuid not null,
  seq integer not null,
  contact_id text not null,
  address text,
  reason text not null,
  constraint delivery_exclusions_pkey PRIMARY KEY (organization_id, send_id, seq),
  constraint delivery_exclusions_reason_check CHECK ((reason = ANY (ARRAY['no_address'::text, 'invalid_address'::text, 'duplicate_address'::text, 'unsubscribed'::text, 'suppressed'::text, 'not_subscribed'::text, 'paused'::text])))
) partition by RANGE (send_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table delivery_queue (
  organization_id uuid not null,
  send_id uuid not null,
  seq integer not null,
  kind text not null,
  attempts smallint not null,
  due_at timestamp with time zone,
  worker_id integer,
  lease_until timestamp with time zone,
  reply text,
  created_at timestamp with time zone not null default now(),
  interruptions smallint not null default 0,
  uncertain smallint not null default 0,
  first_attempt_at timestamp with time zone not null default now(),
  recovered boolean not null default false,
  lane text not null default 'other'::text,
  error jsonb,
  constraint delivery_queue_pkey PRIMARY KEY (organization_id, send_id, seq),
  constraint delivery_queue_kind_check CHECK ((kind = ANY (ARRAY['new'::text, 'deferred'::text, 'uncertain'::text]))),
  constraint delivery_queue_lane_check CHECK ((lane = ANY (ARRAY['google'::text, 'outlook'::text, 'microsoft_365'::text, 'yahoo'::text, 'gmx'::text, 't_online'::text, 'icloud'::text, 'other'::text]))),
  constraint delivery_queue_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX delivery_queue_due ON delivery_queue USING btree (organization_id, send_id, lane, due_at, seq) WHERE ((worker_id IS NULL) AND (due_at IS NOT NULL));
CREATE INDEX delivery_queue_leased ON delivery_queue USING btree (organization_id, send_id, seq) WHERE (worker_id IS NOT NULL);
CREATE INDEX delivery_queue_recovered ON delivery_queue USING btree (organization_id, send_id, due_at) WHERE ((worker_id IS NULL) AND recovered);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table delivery_result_totals (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  at timestamp with time zone not null,
  send_id uuid not null,
  state text not null,
  class text not null,
  count bigint not null,
  not_measured bigint not null default 0,
  constraint delivery_result_totals_pkey PRIMARY KEY (organization_id, touchpoint_id, at, send_id, state, class),
  constraint delivery_result_totals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX delivery_result_totals_organization_id_at_idx ON delivery_result_totals USING btree (organization_id, at);
CREATE INDEX delivery_result_totals_organization_id_send_id_idx ON delivery_result_totals USING btree (organization_id, send_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table delivery_results (
  organization_id uuid not null,
  send_id uuid not null,
  seq integer not null,
  state text not null,
  attempts smallint not null,
  reply text,
  at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  stage text,
  class text,
  error jsonb,
  tracked boolean not null default true,
  transport_no smallint,
  constraint delivery_results_pkey PRIMARY KEY (organization_id, send_id, seq),
  constraint delivery_results_class_check CHECK ((class = ANY (ARRAY['address_hard'::text, 'address_likely'::text, 'domain_hard'::text, 'routing_soft'::text, 'mailbox_full'::text, 'transient'::text, 'expired'::text, 'reputation'::text, 'authentication'::text, 'content'::text, 'too_big'::text, 'protocol'::text, 'unknown'::text]))),
  constraint delivery_results_stage_check CHECK ((stage = ANY (ARRAY['mail'::text, 'rcpt'::text, 'data'::text, 'message'::text]))),
  constraint delivery_results_state_check CHECK ((state = ANY (ARRAY['sent'::text, 'bounced'::text, 'failed'::text, 'suppressed'::text, 'skipped'::text])))
) partition by RANGE (send_id);
CREATE INDEX delivery_results_accepted_at_at_idx ON delivery_results USING brin (accepted_at, at) WITH (pages_per_range='32');
CREATE INDEX delivery_results_not_sent ON delivery_results USING btree (organization_id, send_id, state, seq) WHERE (state <> 'sent'::text);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table directus_collections (
  organization_id uuid not null,
  collection text not null,
  label text,
  key_type text not null,
  fields jsonb not null,
  items_count bigint not null default 0,
  client_id uuid,
  brand_id uuid,
  seen_at timestamp with time zone not null default now(),
  relations jsonb not null default '{}'::jsonb,
  constraint directus_collections_pkey PRIMARY KEY (organization_id, collection),
  constraint directus_collections_check CHECK (((brand_id IS NULL) OR (client_id IS NOT NULL))),
  constraint directus_collections_collection_check CHECK ((collection ~ '^[a-z][a-z0-9_]{0,62}$'::text)),
  constraint directus_collections_fields_check CHECK (((jsonb_typeof(fields) = 'array'::text) AND (jsonb_array_length(fields) <= 500))),
  constraint directus_collections_key_type_check CHECK ((key_type = ANY (ARRAY['uuid'::text, 'integer'::text, 'bigInteger'::text]))),
  constraint directus_collections_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 120))),
  constraint directus_collections_relations_check CHECK ((jsonb_typeof(relations) = 'object'::text)),
  constraint directus_collections_organization_id_client_id_brand_id_fkey FOREIGN KEY (organization_id, client_id, brand_id) REFERENCES brands(organization_id, client_id, id) ON DELETE CASCADE,
  constraint directus_collections_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id) ON DELETE CASCADE,
  constraint directus_collections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX directus_collections_organization_id_client_id_brand_id_idx ON directus_collections USING btree (organization_id, client_id, brand_id) WHERE (client_id IS NOT NULL);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on directus_collections as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (client_id = ANY (( SELECT access_scope_client_ids() AS access_scope_client_ids)::uuid[])) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[])) OR ((client_id IS NULL) AND (organization_id = ANY (( SELECT access_scope_content_organization_ids() AS access_scope_content_organization_ids)::uuid[])))));

create table dkim_keys (
  organization_id uuid not null,
  selector text not null,
  public_key text not null,
  private_key text not null,
  is_signing boolean not null,
  signed_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint dkim_keys_pkey PRIMARY KEY (organization_id, selector),
  constraint dkim_keys_selector_check CHECK ((selector = ANY (ARRAY['r1'::text, 'r2'::text]))),
  constraint dkim_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX dkim_keys_one_signing ON dkim_keys USING btree (organization_id) WHERE is_signing;
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table erased_addresses (
  organization_id uuid not null,
  address_hash text not null,
  erased_at timestamp with time zone not null default now(),
  constraint erased_addresses_pkey PRIMARY KEY (organization_id, address_hash),
  constraint erased_addresses_address_hash_check CHECK ((char_length(address_hash) = 43)),
  constraint erased_addresses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table event_folds (
  subject text not null,
  folded_until timestamp with time zone not null,
  constraint event_folds_pkey PRIMARY KEY (subject)
);
grant select on event_folds to reachout_app;

create table events (
  organization_id uuid not null,
  id uuid not null,
  touchpoint_id uuid not null,
  send_id uuid not null,
  seq integer not null,
  type text not null,
  at timestamp with time zone not null,
  link_no integer,
  is_bot boolean not null default false,
  user_agent text,
  ip_prefix text,
  country text,
  moved_by text,
  constraint events_pkey PRIMARY KEY (organization_id, touchpoint_id, type, at, id),
  constraint events_moved_by_check CHECK ((moved_by = ANY (ARRAY['all_links'::text, 'before_open'::text]))),
  constraint events_type_check CHECK ((type = ANY (ARRAY['SEND_EMAIL'::text, 'OPEN_EMAIL'::text, 'CLICK'::text, 'VISIT'::text, 'BOUNCE'::text, 'COMPLAINT'::text, 'UNSUBSCRIBE'::text])))
) partition by RANGE (at);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on events as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (send_id IN ( SELECT s.id
   FROM touchpoint_sends s))));
create policy fold on events for insert to owner with check (true);
create policy fold_again on events for update to owner using (true);

create table faq_categories (
  name text not null,
  language text not null,
  title text not null,
  description text not null default ''::text,
  updated_at timestamp with time zone not null default now(),
  constraint faq_categories_pkey PRIMARY KEY (name, language),
  constraint faq_categories_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text]))),
  constraint faq_categories_name_check CHECK ((name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text))
);
grant select on faq_categories to reachout_app;
grant delete, insert, update on faq_categories to reachout_auth;

create table faqs (
  name text not null,
  title text not null,
  content text not null,
  screens text[] not null default '{}'::text[],
  is_draft boolean not null default false,
  updated_at timestamp with time zone not null default now(),
  category text not null,
  language text not null,
  constraint faqs_pkey PRIMARY KEY (category, name, language),
  constraint faqs_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text]))),
  constraint faqs_name_check CHECK ((name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text))
);
grant select on faqs to reachout_app;
grant delete, insert, update on faqs to reachout_auth;

create table filters (
  organization_id uuid not null,
  id uuid not null,
  brand_id uuid,
  name text not null,
  is_active boolean not null default true,
  collection text not null,
  rule jsonb not null,
  field_mapping jsonb not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  client_id uuid,
  constraint count_changed_rule TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_deleted_rule TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_new_rule TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint filters_pkey PRIMARY KEY (organization_id, id),
  constraint filters_check CHECK (((brand_id IS NULL) OR (client_id IS NOT NULL))),
  constraint filters_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint filters_organization_id_client_id_brand_id_fkey FOREIGN KEY (organization_id, client_id, brand_id) REFERENCES brands(organization_id, client_id, id) ON DELETE CASCADE,
  constraint filters_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id) ON DELETE CASCADE,
  constraint filters_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX filters_id_idx ON filters USING btree (id);
CREATE INDEX filters_organization_id_client_id_brand_id_idx ON filters USING btree (organization_id, client_id, brand_id) WHERE (client_id IS NOT NULL);
CREATE UNIQUE INDEX filters_name_taken ON filters USING btree (organization_id, lower(name));
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on filters as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (client_id = ANY (( SELECT access_scope_client_ids() AS access_scope_client_ids)::uuid[])) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[]))));

create table followed_links (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  visitor_id uuid not null,
  at timestamp with time zone not null,
  send_id uuid not null,
  seq integer not null,
  email_touchpoint_id uuid not null,
  constraint followed_links_pkey PRIMARY KEY (organization_id, touchpoint_id, visitor_id, at)
);
CREATE INDEX followed_links_by_time ON followed_links USING btree (organization_id, at);
CREATE INDEX followed_links_of_message ON followed_links USING btree (organization_id, send_id, seq);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table help_orders (
  list text not null,
  names text[] not null,
  constraint help_orders_pkey PRIMARY KEY (list)
);
grant select on help_orders to reachout_app;
grant delete, insert, update on help_orders to reachout_auth;

create table idempotency_keys (
  user_id uuid not null,
  route text not null,
  key text not null,
  request_hash text not null,
  response jsonb,
  created_at timestamp with time zone not null default now(),
  counted_for uuid,
  constraint count_changed_response TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_deleted_response TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_new_response TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, route, key),
  constraint idempotency_keys_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255)))
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys USING btree (created_at);
-- Row-level security: forced
create policy definer on idempotency_keys for select to owner using ((current_user_id() IS NOT NULL));
create policy erase on idempotency_keys for delete to owner using ((current_user_id() IS NOT NULL));
create policy own on idempotency_keys for all to reachout_app using ((user_id = current_user_id()));
create policy retention on idempotency_keys for delete to owner using ((created_at < (now() - '24:00:00'::interval)));
create policy retention_read on idempotency_keys for select to owner using ((created_at < (now() - '24:00:00'::interval)));
grant delete, insert, select, update on idempotency_keys to reachout_app;

create table jobs (
  organization_id uuid,
  id uuid not null,
  kind text not null,
  key text not null,
  payload jsonb not null default '{}'::jsonb,
  state text not null default 'open'::text,
  due_at timestamp with time zone not null default now(),
  attempts integer not null default 0,
  lost_leases smallint not null default 0,
  worker_id integer,
  lease_until timestamp with time zone,
  lease_token uuid,
  error_content text,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint jobs_pkey PRIMARY KEY (id),
  constraint jobs_state_check CHECK ((state = ANY (ARRAY['open'::text, 'finished'::text, 'failed'::text]))),
  constraint jobs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX jobs_due ON jobs USING btree (kind, due_at) WHERE ((state = 'open'::text) AND (worker_id IS NULL));
CREATE INDEX jobs_ended ON jobs USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX jobs_leased ON jobs USING btree (kind, organization_id) WHERE (worker_id IS NOT NULL);
CREATE INDEX jobs_unfinished ON jobs USING btree (kind, state) WHERE (state <> 'finished'::text);
CREATE UNIQUE INDEX jobs_open_key ON jobs USING btree (organization_id, kind, key) NULLS NOT DISTINCT WHERE (state = 'open'::text);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy tenant_notices on jobs for insert to reachout_app with check (((organization_id IS NULL) AND (kind = 'account_email'::text) AND (current_organization_id() IS NOT NULL)));
create policy users_enqueue on jobs for insert to reachout_app with check (((organization_id IS NULL) AND (current_user_id() IS NOT NULL)));
create policy workers on jobs for all to reachout_auth using (true);

create table mailbox_messages (
  organization_id uuid not null,
  id uuid not null,
  send_id uuid not null,
  seq integer not null,
  recipient text not null,
  sender text not null,
  subject text not null,
  raw bytea not null storage e,
  received_at timestamp with time zone not null,
  constraint mailbox_messages_pkey PRIMARY KEY (organization_id, id),
  constraint mailbox_messages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX mailbox_messages_id_idx ON mailbox_messages USING btree (id);
CREATE INDEX mailbox_messages_organization_id_received_at_id_idx ON mailbox_messages USING btree (organization_id, received_at DESC, id DESC);
CREATE INDEX mailbox_messages_organization_id_send_id_idx ON mailbox_messages USING btree (organization_id, send_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on mailbox_messages as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (send_id IN ( SELECT s.id
   FROM touchpoint_sends s))));

create table messages (
  organization_id uuid not null,
  id uuid not null,
  send_id uuid not null,
  seq integer not null,
  created_at timestamp with time zone not null default now(),
  contact_id text not null,
  is_unsubscribed boolean not null default false,
  collection text,
  constraint messages_pkey PRIMARY KEY (organization_id, id),
  constraint messages_organization_id_send_id_seq_key UNIQUE (organization_id, send_id, seq),
  constraint messages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX messages_id_idx ON messages USING btree (id);
CREATE INDEX messages_organization_id_contact_id_send_id_seq_idx ON messages USING btree (organization_id, contact_id, send_id, seq);
CREATE INDEX messages_organization_id_send_id_created_at_idx ON messages USING btree (organization_id, send_id, created_at);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on messages as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (send_id IN ( SELECT s.id
   FROM touchpoint_sends s))));

create table one_time_tokens (
  id uuid not null,
  purpose text not null,
  email text not null,
  user_id uuid,
  secret_hash text not null,
  browser_hash text,
  payload jsonb not null default '{}'::jsonb,
  failed_attempts smallint not null default 0,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint one_time_tokens_pkey PRIMARY KEY (id),
  constraint one_time_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['sign_up'::text, 'sign_in_code'::text, 'reset_password'::text, 'change_email'::text, 'second_factor'::text, 'passkey'::text, 'sign_up_invitation'::text]))),
  constraint one_time_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX one_time_tokens_browser_hash_idx ON one_time_tokens USING btree (browser_hash) WHERE (browser_hash IS NOT NULL);
CREATE INDEX one_time_tokens_expires_at_idx ON one_time_tokens USING btree (expires_at);
CREATE INDEX one_time_tokens_purpose_email_idx ON one_time_tokens USING btree (purpose, email);
CREATE INDEX one_time_tokens_user_id_idx ON one_time_tokens USING btree (user_id);
CREATE UNIQUE INDEX one_time_tokens_secret_hash_idx ON one_time_tokens USING btree (secret_hash) WHERE (purpose <> 'sign_in_code'::text);
-- Row-level security: forced
create policy sign_in on one_time_tokens for all to reachout_auth using (true);
grant delete, insert, select, update on one_time_tokens to reachout_auth;

create table organization_addresses (
  organization_id uuid not null,
  id uuid not null,
  line1 text not null,
  line2 text,
  postal_code text,
  city text not null,
  region text,
  country_id text not null,
  deleted boolean not null default false,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint organization_addresses_pkey PRIMARY KEY (organization_id, id),
  constraint organization_addresses_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id) ON DELETE RESTRICT,
  constraint organization_addresses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX organization_addresses_deleted_at_idx ON organization_addresses USING btree (deleted_at) WHERE deleted;
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy retention on organization_addresses for delete to owner using ((deleted AND (deleted_at < (now() - '30 days'::interval))));

create table organization_contact_types (
  id text not null,
  name text not null,
  constraint organization_contact_types_pkey PRIMARY KEY (id)
);
grant select on organization_contact_types to reachout_app;

create table organization_contacts (
  organization_id uuid not null,
  id uuid not null,
  contact_type_id text not null,
  full_name text not null,
  email text,
  phone text,
  deleted boolean not null default false,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint organization_contacts_pkey PRIMARY KEY (organization_id, id),
  constraint organization_contacts_contact_type_id_fkey FOREIGN KEY (contact_type_id) REFERENCES organization_contact_types(id) ON DELETE RESTRICT,
  constraint organization_contacts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX organization_contacts_deleted_at_idx ON organization_contacts USING btree (deleted_at) WHERE deleted;
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy retention on organization_contacts for delete to owner using ((deleted AND (deleted_at < (now() - '30 days'::interval))));

create table organization_directus (
  organization_id uuid not null,
  endpoint text,
  access_token text,
  ee_api_key text,
  state text not null,
  failure text,
  error_content text,
  server_version text,
  missing_collections text[] not null default '{}'::text[],
  checked_at timestamp with time zone not null default now(),
  constraint organization_directus_pkey PRIMARY KEY (organization_id),
  constraint organization_directus_check CHECK (((access_token IS NULL) = (state = ANY (ARRAY['none'::text, 'disconnected'::text])))),
  constraint organization_directus_check1 CHECK (((failure IS NULL) = (state <> 'failing'::text))),
  constraint organization_directus_endpoint_check CHECK (((char_length(endpoint) >= 1) AND (char_length(endpoint) <= 500))),
  constraint organization_directus_endpoint_state_check CHECK (((endpoint IS NULL) = (state = 'none'::text))),
  constraint organization_directus_error_content_check CHECK ((char_length(error_content) <= 500)),
  constraint organization_directus_failure_check CHECK ((char_length(failure) <= 40)),
  constraint organization_directus_missing_collections_check CHECK ((cardinality(missing_collections) <= 10)),
  constraint organization_directus_server_version_check CHECK ((char_length(server_version) <= 40)),
  constraint organization_directus_state_check CHECK ((state = ANY (ARRAY['none'::text, 'connected'::text, 'failing'::text, 'disconnected'::text]))),
  constraint organization_directus_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table organization_invitation_links (
  organization_id uuid not null,
  token_hash text not null,
  token_sealed text not null,
  client_ids uuid[] not null default '{}'::uuid[],
  max_uses integer not null,
  uses integer not null default 0,
  expires_at timestamp with time zone not null,
  created_by uuid,
  removed_user_ids uuid[] not null default '{}'::uuid[],
  created_at timestamp with time zone not null default now(),
  signed_up_user_ids uuid[] not null default '{}'::uuid[],
  constraint organization_invitation_links_pkey PRIMARY KEY (organization_id),
  constraint organization_invitation_links_token_hash_key UNIQUE (token_hash),
  constraint organization_invitation_links_check CHECK ((uses <= max_uses)),
  constraint organization_invitation_links_max_uses_check CHECK ((max_uses > 0)),
  constraint organization_invitation_links_places_check CHECK (((uses + cardinality(signed_up_user_ids)) <= max_uses)),
  constraint organization_invitation_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint organization_invitation_links_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy sign_up on organization_invitation_links for update to owner using ((expires_at > now()));

create table organization_invitations (
  organization_id uuid not null,
  id uuid not null,
  email text not null,
  role text not null,
  client_ids uuid[] not null default '{}'::uuid[],
  language text not null,
  status text not null default 'pending'::text,
  token_hash text not null,
  token_sealed text,
  invited_by uuid,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint organization_invitations_pkey PRIMARY KEY (organization_id, id),
  constraint organization_invitations_token_hash_key UNIQUE (token_hash),
  constraint organization_invitations_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text]))),
  constraint organization_invitations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'declined'::text, 'cancelled'::text]))),
  constraint organization_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint organization_invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX organization_invitations_email_idx ON organization_invitations USING btree (email) WHERE (status = 'pending'::text);
CREATE INDEX organization_invitations_organization_id_created_at_idx ON organization_invitations USING btree (organization_id, created_at DESC);
CREATE UNIQUE INDEX organization_invitations_one_pending ON organization_invitations USING btree (organization_id, email) WHERE (status = 'pending'::text);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table organization_roles (
  organization_id uuid not null,
  role text not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint organization_roles_pkey PRIMARY KEY (organization_id, role),
  constraint organization_roles_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint organization_roles_role_check CHECK (((role ~ '^[a-z][a-z0-9_]{0,39}$'::text) AND (role <> ALL (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'analyst'::text, 'guest'::text])))),
  constraint organization_roles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX organization_roles_name_taken ON organization_roles USING btree (organization_id, lower(name));
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table organization_sizes (
  id text not null,
  name text not null,
  position smallint not null,
  constraint organization_sizes_pkey PRIMARY KEY (id),
  constraint organization_sizes_position_key UNIQUE ("position")
);
grant select on organization_sizes to reachout_app;

create table organization_user_clients (
  organization_id uuid not null,
  user_id uuid not null,
  client_id uuid not null,
  constraint organization_user_clients_pkey PRIMARY KEY (organization_id, user_id, client_id),
  constraint organization_user_clients_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id) ON DELETE CASCADE,
  constraint organization_user_clients_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint organization_user_clients_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES organization_users(organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX organization_user_clients_organization_id_client_id_idx ON organization_user_clients USING btree (organization_id, client_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table organization_users (
  organization_id uuid not null,
  user_id uuid not null,
  role text not null,
  last_seen_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint organization_users_pkey PRIMARY KEY (organization_id, user_id),
  constraint organization_users_user_id_organization_id_key UNIQUE (user_id, organization_id),
  constraint organization_users_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint organization_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table organizations (
  id uuid not null,
  name text not null,
  logo_url text,
  organization_size_id text,
  country_id text,
  status text not null default 'active'::text,
  deleted boolean not null default false,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  daily_recipient_limit integer,
  requires_second_factor boolean not null default false,
  contact_limit integer,
  template_limit integer,
  daily_import_limit integer,
  image_limit integer,
  messages_per_minute integer,
  content_megabyte_limit integer,
  uncertain_policy text not null default 'retry'::text,
  website_events_days integer not null default 400,
  currency text not null default 'EUR'::text,
  status_reason text,
  file_megabyte_limit integer,
  website_event_limit integer,
  website_megabyte_limit integer,
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_contact_limit_check CHECK ((contact_limit >= 0)),
  constraint organizations_content_megabyte_limit_check CHECK ((content_megabyte_limit >= 0)),
  constraint organizations_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint organizations_daily_import_limit_check CHECK ((daily_import_limit >= 0)),
  constraint organizations_daily_recipient_limit_check CHECK ((daily_recipient_limit >= 0)),
  constraint organizations_file_megabyte_limit_check CHECK ((file_megabyte_limit >= 0)),
  constraint organizations_image_limit_check CHECK ((image_limit >= 0)),
  constraint organizations_messages_per_minute_check CHECK ((messages_per_minute >= 1)),
  constraint organizations_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint organizations_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text, 'suspended'::text]))),
  constraint organizations_status_reason_check CHECK (((char_length(status_reason) >= 1) AND (char_length(status_reason) <= 500))),
  constraint organizations_template_limit_check CHECK ((template_limit >= 0)),
  constraint organizations_uncertain_policy_check CHECK ((uncertain_policy = ANY (ARRAY['retry'::text, 'hold'::text]))),
  constraint organizations_website_event_limit_check CHECK ((website_event_limit >= 0)),
  constraint organizations_website_events_days_check CHECK (((website_events_days >= 30) AND (website_events_days <= 1825))),
  constraint organizations_website_megabyte_limit_check CHECK ((website_megabyte_limit >= 0)),
  constraint organizations_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id) ON DELETE RESTRICT,
  constraint organizations_organization_size_id_fkey FOREIGN KEY (organization_size_id) REFERENCES organization_sizes(id) ON DELETE RESTRICT
);
CREATE INDEX organizations_deleted_at_idx ON organizations USING btree (deleted_at) WHERE deleted;
-- Row-level security: forced
create policy definer on organizations for select to owner using (true);
create policy fold on organizations for update to owner using (true) with check (false);
create policy retention on organizations for delete to owner using ((deleted AND (deleted_at < (now() - '30 days'::interval))));
create policy tenant on organizations for all to reachout_app using ((id = current_organization_id()));
grant insert, select, update on organizations to reachout_app;

create table passkeys (
  id uuid not null,
  user_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_user_id_idx ON passkeys USING btree (user_id);
-- Row-level security: forced
create policy definer on passkeys for select to owner using ((user_id = current_user_id()));
create policy own on passkeys for all to reachout_app using ((user_id = current_user_id()));
grant delete, insert, select, update on passkeys to reachout_app;

create table rate_limits (
  key text not null,
  points integer not null default 0,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_limits_expire_idx ON rate_limits USING btree (expire);
-- Row-level security: forced
create policy counters on rate_limits for all to reachout_app using (((current_organization_id() IS NOT NULL) AND ((key ~~ 'invitations %'::text) OR (key ~~ 'visitor_marks %'::text))));
create policy sign_in on rate_limits for all to reachout_auth using (true);
grant insert, select, update on rate_limits to reachout_app;
grant delete, insert, select, update on rate_limits to reachout_auth;

create table reactions (
  organization_id uuid not null,
  id uuid not null,
  touchpoint_event_id uuid not null,
  listener_id uuid not null,
  touchpoint_id uuid not null,
  action text not null,
  brand_id uuid not null,
  collection text not null,
  contact_id text not null,
  cause_type text not null,
  cause_at timestamp with time zone not null,
  cause_touchpoint_id uuid,
  cause_send_id uuid,
  cause_seq integer,
  cause_link_no integer,
  visitor_id uuid,
  cause_detail text,
  due_at timestamp with time zone not null,
  state text not null default 'waiting'::text,
  reason text,
  ended_at timestamp with time zone,
  send_id uuid,
  seq integer,
  endpoint text,
  constraint reactions_pkey PRIMARY KEY (organization_id, id),
  constraint reactions_action_check CHECK ((action = ANY (ARRAY['send_email'::text, 'stop_email'::text, 'start_tracking'::text, 'stop_tracking'::text]))),
  constraint reactions_check CHECK (((reason IS NOT NULL) = (state = ANY (ARRAY['skipped'::text, 'cancelled'::text])))),
  constraint reactions_check1 CHECK ((((send_id IS NOT NULL) = (state = 'sent'::text)) OR (state = 'cancelled'::text))),
  constraint reactions_check2 CHECK (((ended_at IS NULL) = (state = 'waiting'::text))),
  constraint reactions_reason_check CHECK ((reason = ANY (ARRAY['no_address'::text, 'invalid_address'::text, 'duplicate_address'::text, 'unsubscribed'::text, 'suppressed'::text, 'not_subscribed'::text, 'paused'::text, 'no_contact'::text, 'foreign_contacts'::text, 'unless'::text, 'contact_limit'::text, 'too_late'::text, 'stopped'::text, 'bot'::text, 'cancelled_by_member'::text, 'listener_deleted'::text]))),
  constraint reactions_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'done'::text, 'skipped'::text, 'cancelled'::text])))
);
CREATE INDEX reactions_due ON reactions USING btree (organization_id, touchpoint_id, action, due_at) WHERE (state = 'waiting'::text);
CREATE INDEX reactions_organization_id_contact_id_listener_id_idx ON reactions USING btree (organization_id, contact_id, listener_id);
CREATE INDEX reactions_organization_id_send_id_seq_idx ON reactions USING btree (organization_id, send_id, seq) WHERE (send_id IS NOT NULL);
CREATE INDEX reactions_organization_id_touchpoint_id_listener_id_state_idx ON reactions USING btree (organization_id, touchpoint_id, listener_id, state);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on reactions as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[]))));
create policy fold on reactions for insert to owner with check (true);
create policy review on reactions for update to owner using (((state = 'waiting'::text) OR (reason = 'bot'::text)));

create table recipient_domains (
  domain text not null,
  recipient_group text,
  looked_up_at timestamp with time zone,
  due_at timestamp with time zone,
  constraint recipient_domains_pkey PRIMARY KEY (domain),
  constraint recipient_domains_check CHECK (((looked_up_at IS NOT NULL) OR (due_at IS NOT NULL))),
  constraint recipient_domains_recipient_group_check CHECK ((recipient_group = ANY (ARRAY['google'::text, 'outlook'::text, 'microsoft_365'::text, 'yahoo'::text, 'gmx'::text, 't_online'::text, 'icloud'::text, 'other'::text])))
);
CREATE INDEX recipient_domains_due ON recipient_domains USING btree (due_at) WHERE (due_at IS NOT NULL);
-- Row-level security: forced
create policy cache on recipient_domains for all to reachout_app using (true);
grant delete, insert, select, update on recipient_domains to reachout_app;

create table recovery_codes (
  id uuid not null,
  user_id uuid not null,
  code_hash text not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint recovery_codes_pkey PRIMARY KEY (id),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX recovery_codes_user_id_idx ON recovery_codes USING btree (user_id);
-- Row-level security: forced
create policy own on recovery_codes for all to reachout_app using ((user_id = current_user_id()));
grant delete, insert, select, update on recovery_codes to reachout_app;

create table replaced_visitor_events (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  id uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint replaced_visitor_events_pkey PRIMARY KEY (organization_id, touchpoint_id, id)
);
CREATE INDEX replaced_visitor_events_created_at_idx ON replaced_visitor_events USING btree (created_at);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy fold on replaced_visitor_events for all to owner using (true);

create table resubscriptions (
  organization_id uuid not null,
  id uuid not null,
  brand_id uuid,
  address_key text not null,
  reason text not null,
  send_id uuid,
  suppressed_at timestamp with time zone,
  basis text not null,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  constraint resubscriptions_pkey PRIMARY KEY (organization_id, id),
  constraint resubscriptions_reason_check CHECK ((reason = ANY (ARRAY['bounce'::text, 'complaint'::text, 'unsubscribe'::text, 'manual'::text]))),
  constraint resubscriptions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint resubscriptions_organization_id_brand_id_fkey FOREIGN KEY (organization_id, brand_id) REFERENCES brands(organization_id, id) ON DELETE CASCADE,
  constraint resubscriptions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX resubscriptions_created_by_idx ON resubscriptions USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX resubscriptions_organization_id_address_key_created_at_idx ON resubscriptions USING btree (organization_id, address_key, created_at DESC);
-- policies/tenants.sql: row-level security, policies tenant and definer
create policy access_scope on resubscriptions as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (brand_id IS NULL) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[])))) with check ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[]))));
create policy erase on resubscriptions for delete to owner using ((organization_id = current_organization_id()));
grant insert, select on resubscriptions to reachout_app;

create table returned_mail (
  id uuid not null,
  mailbox text not null,
  raw bytea not null,
  received_at timestamp with time zone not null default now(),
  due_at timestamp with time zone not null default now(),
  attempts smallint not null default 0,
  constraint returned_mail_pkey PRIMARY KEY (id),
  constraint returned_mail_mailbox_check CHECK ((char_length(mailbox) <= 64)),
  constraint returned_mail_raw_check CHECK ((octet_length(raw) <= 65536))
);
CREATE INDEX returned_mail_due_at_idx ON returned_mail USING btree (due_at);
CREATE INDEX returned_mail_mailbox_idx ON returned_mail USING btree (mailbox) WHERE (mailbox = 'complaints'::text);
CREATE INDEX returned_mail_mailbox_idx1 ON returned_mail USING btree (mailbox) WHERE (mailbox ~~ 'p.%'::text);
-- Row-level security: forced
create policy workers on returned_mail for all to reachout_app using (true);
grant delete, insert, select, update on returned_mail to reachout_app;

create table role_permissions (
  organization_id uuid not null,
  role text not null,
  position smallint not null,
  action text not null,
  subject text not null,
  conditions jsonb,
  inverted boolean not null default false,
  constraint role_permissions_pkey PRIMARY KEY (organization_id, role, "position"),
  constraint role_permissions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint role_permissions_organization_id_role_fkey FOREIGN KEY (organization_id, role) REFERENCES organization_roles(organization_id, role) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table send_rates (
  key text not null,
  next_at timestamp with time zone not null,
  constraint send_rates_pkey PRIMARY KEY (key)
);
-- Row-level security: forced
create policy workers on send_rates for all to reachout_app using (true);
grant delete, insert, select, update on send_rates to reachout_app;

create table sending_domain_checks (
  organization_id uuid not null,
  domain_id uuid not null,
  kind text not null,
  state text,
  verdict text,
  found jsonb not null default '[]'::jsonb,
  wanted jsonb not null default '[]'::jsonb,
  advice jsonb not null default '[]'::jsonb,
  started_at timestamp with time zone,
  checked_at timestamp with time zone,
  passed_at timestamp with time zone,
  failing_since timestamp with time zone,
  fails_count integer not null default 0,
  answered_at timestamp with time zone,
  constraint sending_domain_checks_pkey PRIMARY KEY (organization_id, domain_id, kind),
  constraint sending_domain_checks_kind_check CHECK ((kind = ANY (ARRAY['dkim'::text, 'spf'::text, 'return_path'::text, 'dmarc'::text, 'tracking'::text]))),
  constraint sending_domain_checks_state_check CHECK ((state = ANY (ARRAY['pass'::text, 'warn'::text, 'fail'::text]))),
  constraint sending_domain_checks_verdict_check CHECK ((verdict = ANY (ARRAY['pass'::text, 'warn'::text, 'fail'::text, 'temporary_error'::text]))),
  constraint sending_domain_checks_organization_id_domain_id_fkey FOREIGN KEY (organization_id, domain_id) REFERENCES sending_domains(organization_id, id) ON DELETE CASCADE,
  constraint sending_domain_checks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on sending_domain_checks as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (domain_id IN ( SELECT d.id
   FROM sending_domains d))));

create table sending_domains (
  organization_id uuid not null,
  id uuid not null,
  client_id uuid,
  brand_id uuid,
  domain text not null,
  status text not null default 'pending'::text,
  destination text,
  next_check_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint sending_domains_pkey PRIMARY KEY (organization_id, id),
  constraint sending_domains_check CHECK (((brand_id IS NULL) OR (client_id IS NOT NULL))),
  constraint sending_domains_domain_check CHECK (((char_length(domain) >= 1) AND (char_length(domain) <= 120))),
  constraint sending_domains_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'verified'::text, 'failing'::text]))),
  constraint sending_domains_organization_id_client_id_brand_id_fkey FOREIGN KEY (organization_id, client_id, brand_id) REFERENCES brands(organization_id, client_id, id) ON DELETE CASCADE,
  constraint sending_domains_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id) ON DELETE CASCADE,
  constraint sending_domains_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX sending_domains_id_idx ON sending_domains USING btree (id);
CREATE INDEX sending_domains_next_check_at_idx ON sending_domains USING btree (next_check_at);
CREATE INDEX sending_domains_organization_id_client_id_brand_id_idx ON sending_domains USING btree (organization_id, client_id, brand_id) WHERE (client_id IS NOT NULL);
CREATE UNIQUE INDEX sending_domains_domain_exists ON sending_domains USING btree (organization_id, domain);
CREATE UNIQUE INDEX sending_domains_verified_once ON sending_domains USING btree (domain) WHERE (status <> 'pending'::text);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on sending_domains as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (client_id = ANY (( SELECT access_scope_client_ids() AS access_scope_client_ids)::uuid[])) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[]))));

create table sessions (
  id uuid not null,
  user_id uuid not null,
  token text not null,
  expires_at timestamp with time zone not null,
  ip_address text,
  user_agent text,
  last_used_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_key UNIQUE (token),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_user_id_idx ON sessions USING btree (user_id);
-- Row-level security: forced
create policy definer on sessions for select to owner using ((user_id = current_user_id()));
create policy own on sessions for all to reachout_app using ((user_id = current_user_id()));
create policy sign_in on sessions for all to reachout_auth using (true);
grant delete, insert, select, update on sessions to reachout_app;
grant delete, insert, select, update on sessions to reachout_auth;

create table sign_up_form_versions (
  organization_id uuid not null,
  form_id uuid not null,
  version integer not null,
  brand_id uuid not null,
  form_name text not null,
  fields jsonb not null,
  topic_ids uuid[] not null,
  asks_tracking boolean not null,
  language text not null,
  title text not null,
  consent_text text not null,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  constraint count_changed_consent_text TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_changed_fields TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_deleted_consent_text TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_deleted_fields TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_new_consent_text TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_new_fields TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint sign_up_form_versions_pkey PRIMARY KEY (organization_id, form_id, version),
  constraint sign_up_form_versions_consent_text_check CHECK (((char_length(consent_text) >= 1) AND (char_length(consent_text) <= 2000))),
  constraint sign_up_form_versions_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text]))),
  constraint sign_up_form_versions_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 120))),
  constraint sign_up_form_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint sign_up_form_versions_organization_id_brand_id_fkey FOREIGN KEY (organization_id, brand_id) REFERENCES brands(organization_id, id) ON DELETE CASCADE,
  constraint sign_up_form_versions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX sign_up_form_versions_created_by_idx ON sign_up_form_versions USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX sign_up_form_versions_organization_id_brand_id_idx ON sign_up_form_versions USING btree (organization_id, brand_id);
-- policies/tenants.sql: row-level security, policies tenant and definer
create policy access_scope on sign_up_form_versions as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[]))));
grant insert, select on sign_up_form_versions to reachout_app;

create table sign_up_forms (
  organization_id uuid not null,
  id uuid not null,
  brand_id uuid not null,
  name text not null,
  collection text not null,
  version integer not null default 1,
  is_active boolean not null,
  confirmed_count integer not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  network_limit integer,
  constraint sign_up_forms_pkey PRIMARY KEY (organization_id, id),
  constraint sign_up_forms_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint sign_up_forms_network_limit_check CHECK (((network_limit >= 1) AND (network_limit <= 10000))),
  constraint sign_up_forms_organization_id_brand_id_fkey FOREIGN KEY (organization_id, brand_id) REFERENCES brands(organization_id, id) ON DELETE CASCADE,
  constraint sign_up_forms_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX sign_up_forms_id_idx ON sign_up_forms USING btree (id);
CREATE INDEX sign_up_forms_organization_id_brand_id_idx ON sign_up_forms USING btree (organization_id, brand_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on sign_up_forms as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[]))));

create table sign_ups (
  organization_id uuid not null,
  id uuid not null,
  form_id uuid not null,
  version integer not null,
  brand_id uuid not null,
  collection text not null,
  address text not null,
  address_key text not null,
  field_values jsonb not null,
  topics jsonb not null,
  tracking_consent boolean,
  source_page text,
  requested_at timestamp with time zone not null default now(),
  requested_ip_prefix text,
  confirmed_at timestamp with time zone,
  confirmed_ip_prefix text,
  contact_id text,
  contact_state text,
  error_content text,
  constraint sign_ups_pkey PRIMARY KEY (organization_id, id),
  constraint sign_ups_contact_state_check CHECK ((contact_state = ANY (ARRAY['waiting'::text, 'written'::text, 'failed'::text]))),
  constraint sign_ups_error_content_check CHECK ((char_length(error_content) <= 500)),
  constraint sign_ups_organization_id_brand_id_fkey FOREIGN KEY (organization_id, brand_id) REFERENCES brands(organization_id, id) ON DELETE CASCADE,
  constraint sign_ups_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint sign_ups_organization_id_form_id_version_fkey FOREIGN KEY (organization_id, form_id, version) REFERENCES sign_up_form_versions(organization_id, form_id, version) ON DELETE CASCADE
);
CREATE INDEX sign_ups_organization_id_address_key_requested_at_idx ON sign_ups USING btree (organization_id, address_key, requested_at DESC);
CREATE INDEX sign_ups_organization_id_brand_id_idx ON sign_ups USING btree (organization_id, brand_id);
CREATE INDEX sign_ups_organization_id_form_id_confirmed_at_idx ON sign_ups USING btree (organization_id, form_id, confirmed_at) WHERE (contact_state = ANY (ARRAY['waiting'::text, 'failed'::text]));
CREATE INDEX sign_ups_organization_id_form_id_idx ON sign_ups USING btree (organization_id, form_id) WHERE (confirmed_at IS NULL);
CREATE INDEX sign_ups_organization_id_form_id_version_idx ON sign_ups USING btree (organization_id, form_id, version);
CREATE INDEX sign_ups_organization_id_requested_at_idx ON sign_ups USING btree (organization_id, requested_at);
CREATE INDEX sign_ups_requested_at_idx ON sign_ups USING btree (requested_at) WHERE (confirmed_at IS NULL);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on sign_ups as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[]))));
create policy retention on sign_ups for delete to owner using (((confirmed_at IS NULL) AND (requested_at < (now() - '30 days'::interval))));

create table stored_bytes (
  organization_id uuid not null,
  bytes bigint not null,
  constraint stored_bytes_pkey PRIMARY KEY (organization_id),
  constraint stored_bytes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy count on stored_bytes for update to owner using (true);

create table suppression_lifts (
  organization_id uuid not null,
  id uuid not null,
  reason text,
  send_id uuid,
  from_at timestamp with time zone,
  to_at timestamp with time zone,
  brand_ids uuid[],
  basis text not null,
  total_count integer not null,
  lifted_count integer not null default 0,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  constraint suppression_lifts_pkey PRIMARY KEY (organization_id, id),
  constraint suppression_lifts_reason_check CHECK ((reason = ANY (ARRAY['bounce'::text, 'manual'::text]))),
  constraint suppression_lifts_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint suppression_lifts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX suppression_lifts_created_by_idx ON suppression_lifts USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX suppression_lifts_organization_id_created_at_idx ON suppression_lifts USING btree (organization_id, created_at DESC);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on suppression_lifts as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (brand_ids <@ ( SELECT access_scope_brands() AS access_scope_brands))));

create table topics (
  organization_id uuid not null,
  id uuid not null,
  brand_id uuid not null,
  name text not null,
  description text not null default ''::text,
  is_default boolean not null,
  position integer not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint topics_pkey PRIMARY KEY (organization_id, id),
  constraint topics_organization_id_brand_id_id_key UNIQUE (organization_id, brand_id, id),
  constraint topics_description_check CHECK ((char_length(description) <= 500)),
  constraint topics_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint topics_organization_id_brand_id_fkey FOREIGN KEY (organization_id, brand_id) REFERENCES brands(organization_id, id) ON DELETE CASCADE,
  constraint topics_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX topics_id_idx ON topics USING btree (id);
CREATE UNIQUE INDEX topics_name_taken ON topics USING btree (organization_id, brand_id, lower(name));
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on topics as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[]))));

create table totp_secrets (
  user_id uuid not null,
  secret_sealed text not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint totp_secrets_pkey PRIMARY KEY (user_id),
  constraint totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
-- Row-level security: forced
create policy definer on totp_secrets for select to owner using ((user_id = current_user_id()));
create policy own on totp_secrets for all to reachout_app using ((user_id = current_user_id()));
grant delete, insert, select, update on totp_secrets to reachout_app;

create table touchpoint_emails (
  organization_id uuid not null,
  id uuid not null,
  touchpoint_id uuid not null,
  filter_id uuid,
  template_id uuid,
  subject text not null default ''::text,
  preheader text not null default ''::text,
  from_name text not null default ''::text,
  from_email text not null default ''::text,
  reply_to text,
  updated_at timestamp with time zone not null default now(),
  mjml text not null default ''::text,
  item_id text,
  items_count integer not null default 0,
  topic_id uuid,
  constraint count_changed_mjml TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_deleted_mjml TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_new_mjml TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint touchpoint_emails_pkey PRIMARY KEY (organization_id, id),
  constraint touchpoint_emails_organization_id_touchpoint_id_key UNIQUE (organization_id, touchpoint_id),
  constraint touchpoint_emails_items_count_check CHECK (((items_count >= 0) AND (items_count <= 20))),
  constraint touchpoint_emails_mjml_check CHECK ((octet_length(mjml) <= 1000000)),
  constraint touchpoint_emails_organization_id_filter_id_fkey FOREIGN KEY (organization_id, filter_id) REFERENCES filters(organization_id, id) ON DELETE RESTRICT,
  constraint touchpoint_emails_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint touchpoint_emails_organization_id_topic_id_fkey FOREIGN KEY (organization_id, topic_id) REFERENCES topics(organization_id, id) ON DELETE RESTRICT,
  constraint touchpoint_emails_organization_id_touchpoint_id_fkey FOREIGN KEY (organization_id, touchpoint_id) REFERENCES touchpoints(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX touchpoint_emails_organization_id_filter_id_idx ON touchpoint_emails USING btree (organization_id, filter_id);
CREATE INDEX touchpoint_emails_organization_id_topic_id_idx ON touchpoint_emails USING btree (organization_id, topic_id) WHERE (topic_id IS NOT NULL);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on touchpoint_emails as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (touchpoint_id IN ( SELECT t.id
   FROM touchpoints t))));

create table touchpoint_event_actions (
  id uuid not null,
  name text not null,
  notifier_touchpoint_type text,
  listener_touchpoint_type text not null,
  constraint touchpoint_event_actions_pkey PRIMARY KEY (id),
  constraint touchpoint_event_actions_name_notifier_touchpoint_type_list_key UNIQUE NULLS NOT DISTINCT (name, notifier_touchpoint_type, listener_touchpoint_type),
  constraint touchpoint_event_actions_listener_touchpoint_type_check CHECK ((listener_touchpoint_type = ANY (ARRAY['email'::text, 'website'::text]))),
  constraint touchpoint_event_actions_name_check CHECK ((name = ANY (ARRAY['send_email'::text, 'stop_email'::text, 'start_tracking'::text, 'stop_tracking'::text]))),
  constraint touchpoint_event_actions_notifier_touchpoint_type_check CHECK ((notifier_touchpoint_type = ANY (ARRAY['email'::text, 'website'::text])))
);
grant select on touchpoint_event_actions to reachout_app;

create table touchpoint_event_listeners (
  organization_id uuid not null,
  id uuid not null,
  touchpoint_event_id uuid not null,
  listener_touchpoint_id uuid not null,
  delay text not null default 'PT0S'::text,
  unless jsonb,
  once_per_contact boolean not null default true,
  quiet_hours boolean not null default true,
  dropped_count bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint touchpoint_event_listeners_pkey PRIMARY KEY (organization_id, id),
  constraint touchpoint_event_listeners_delay_check CHECK ((char_length(delay) <= 60)),
  constraint touchpoint_event_listeners_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint touchpoint_event_listeners_organization_id_listener_touchp_fkey FOREIGN KEY (organization_id, listener_touchpoint_id) REFERENCES touchpoints(organization_id, id) ON DELETE CASCADE,
  constraint touchpoint_event_listeners_organization_id_touchpoint_even_fkey FOREIGN KEY (organization_id, touchpoint_event_id) REFERENCES touchpoint_events(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX touchpoint_event_listeners_organization_id_listener_touchpo_idx ON touchpoint_event_listeners USING btree (organization_id, listener_touchpoint_id);
CREATE INDEX touchpoint_event_listeners_organization_id_touchpoint_event_idx ON touchpoint_event_listeners USING btree (organization_id, touchpoint_event_id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on touchpoint_event_listeners as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (touchpoint_event_id IN ( SELECT e.id
   FROM touchpoint_events e))));
create policy fold on touchpoint_event_listeners for update to owner using (true);

create table touchpoint_event_types (
  touchpoint_type text not null,
  event_type text not null,
  constraint touchpoint_event_types_pkey PRIMARY KEY (touchpoint_type, event_type),
  constraint touchpoint_event_types_touchpoint_type_check CHECK ((touchpoint_type = ANY (ARRAY['email'::text, 'website'::text])))
);
grant select on touchpoint_event_types to reachout_app;

create table touchpoint_events (
  organization_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  event_type text not null,
  event text,
  is_active boolean not null default false,
  notifier_touchpoint_id uuid,
  touchpoint_event_action_id uuid not null,
  form_id uuid,
  collection text,
  value text,
  days integer,
  is_yearly boolean not null default false,
  source text generated always as (COALESCE((notifier_touchpoint_id)::text, (form_id)::text, collection)) stored,
  looked_up_until date,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint touchpoint_events_pkey PRIMARY KEY (organization_id, id),
  constraint touchpoint_events_check CHECK ((num_nonnulls(notifier_touchpoint_id, form_id, collection) = 1)),
  constraint touchpoint_events_event_check CHECK ((char_length(event) <= 500)),
  constraint touchpoint_events_event_type_check CHECK ((event_type = ANY (ARRAY['SEND_EMAIL'::text, 'OPEN_EMAIL'::text, 'CLICK'::text, 'VISIT'::text, 'BOUNCE'::text, 'COMPLAINT'::text, 'UNSUBSCRIBE'::text, 'IDENTIFY'::text, 'TRACK'::text, 'VIEW_PAGE'::text, 'SIGN_UP'::text, 'ADD_CONTACT'::text, 'CHANGE_FIELD'::text, 'REACH_DATE'::text]))),
  constraint touchpoint_events_value_check CHECK ((char_length(value) <= 500)),
  constraint touchpoint_events_organization_id_campaign_id_fkey FOREIGN KEY (organization_id, campaign_id) REFERENCES campaigns(organization_id, id) ON DELETE CASCADE,
  constraint touchpoint_events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint touchpoint_events_organization_id_form_id_fkey FOREIGN KEY (organization_id, form_id) REFERENCES sign_up_forms(organization_id, id) ON DELETE CASCADE,
  constraint touchpoint_events_organization_id_notifier_touchpoint_id_fkey FOREIGN KEY (organization_id, notifier_touchpoint_id) REFERENCES touchpoints(organization_id, id) ON DELETE CASCADE,
  constraint touchpoint_events_touchpoint_event_action_id_fkey FOREIGN KEY (touchpoint_event_action_id) REFERENCES touchpoint_event_actions(id) ON DELETE RESTRICT
);
CREATE INDEX touchpoint_events_event_type_idx ON touchpoint_events USING btree (event_type) WHERE (event_type = 'REACH_DATE'::text);
CREATE INDEX touchpoint_events_id_idx ON touchpoint_events USING btree (id);
CREATE INDEX touchpoint_events_organization_id_campaign_id_idx ON touchpoint_events USING btree (organization_id, campaign_id);
CREATE INDEX touchpoint_events_organization_id_form_id_idx ON touchpoint_events USING btree (organization_id, form_id) WHERE (form_id IS NOT NULL);
CREATE INDEX touchpoint_events_organization_id_notifier_touchpoint_id_idx ON touchpoint_events USING btree (organization_id, notifier_touchpoint_id) WHERE (notifier_touchpoint_id IS NOT NULL);
CREATE INDEX touchpoint_events_organization_id_source_idx ON touchpoint_events USING btree (organization_id, source);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on touchpoint_events as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (campaign_id IN ( SELECT c.id
   FROM campaigns c))));

create table touchpoint_schedules (
  organization_id uuid not null,
  id uuid not null,
  touchpoint_id uuid not null,
  brand_id uuid not null,
  schedule_content jsonb not null default '{}'::jsonb,
  start_date timestamp with time zone not null,
  time_zone text not null,
  rrule text,
  is_active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  contact_time_zones boolean not null default false,
  spread_minutes integer,
  window_start time without time zone,
  window_end time without time zone,
  slots jsonb,
  constraint touchpoint_schedules_pkey PRIMARY KEY (organization_id, id),
  constraint touchpoint_schedules_spread_minutes_check CHECK (((spread_minutes >= 1) AND (spread_minutes <= 10080))),
  constraint touchpoint_schedules_window_check CHECK ((((window_start IS NULL) = (window_end IS NULL)) AND ((window_start IS NULL) OR (window_start <> window_end)))),
  constraint touchpoint_schedules_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint touchpoint_schedules_organization_id_touchpoint_id_fkey FOREIGN KEY (organization_id, touchpoint_id) REFERENCES touchpoints(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX touchpoint_schedules_id_idx ON touchpoint_schedules USING btree (id);
CREATE INDEX touchpoint_schedules_organization_id_touchpoint_id_is_activ_idx ON touchpoint_schedules USING btree (organization_id, touchpoint_id, is_active, start_date);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on touchpoint_schedules as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[]))));

create table touchpoint_send_contents (
  organization_id uuid not null,
  send_id uuid not null,
  content jsonb not null,
  audience jsonb,
  message_id_base uuid not null default gen_random_uuid(),
  audience_name text,
  confirmed_at timestamp with time zone not null default now(),
  bounce_domain text,
  public_url text,
  transports jsonb not null default '[]'::jsonb,
  constraint count_changed_audience TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_changed_content TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_deleted_audience TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_deleted_content TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_new_audience TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_new_content TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint touchpoint_send_contents_pkey PRIMARY KEY (organization_id, send_id),
  constraint touchpoint_send_contents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table touchpoint_sends (
  organization_id uuid not null,
  id uuid not null,
  send_number bigint not null generated always as identity,
  touchpoint_id uuid not null,
  brand_id uuid not null,
  status text not null default 'queued'::text,
  send_date timestamp with time zone not null,
  end_date timestamp with time zone,
  uncertain_policy text not null default 'retry'::text,
  recipients_total_count integer not null default 0,
  recipients_total_sent_count integer not null default 0,
  recipients_total_delivery_failed_count integer not null default 0,
  recipients_total_failed_count integer not null default 0,
  recipients_suppressed_count integer not null default 0,
  recipients_skipped_count integer not null default 0,
  recipients_cancelled_count integer not null default 0,
  recipients_uncertain_count integer not null default 0,
  audience_breakdown jsonb,
  user_created uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  recipients_confirmed_count integer not null default 0,
  failure_count smallint not null default 0,
  worker_deaths smallint not null default 0,
  next_due_at timestamp with time zone,
  recipients_accepted_count integer not null default 0,
  kind text not null default 'campaign'::text,
  parent_send_id uuid,
  error jsonb,
  counted_at timestamp with time zone,
  schedule_id uuid,
  occurrence_at timestamp with time zone,
  in_series boolean not null default false,
  item_id text,
  topic_id uuid,
  recipients_not_measured_count integer not null default 0,
  constraint touchpoint_sends_pkey PRIMARY KEY (organization_id, id),
  constraint touchpoint_sends_send_number_key UNIQUE (send_number),
  constraint touchpoint_sends_check CHECK (((recipients_not_measured_count >= 0) AND (recipients_not_measured_count <= recipients_total_sent_count))),
  constraint touchpoint_sends_check1 CHECK ((recipients_total_count >= ((((((recipients_total_sent_count + recipients_total_delivery_failed_count) + recipients_total_failed_count) + recipients_suppressed_count) + recipients_skipped_count) + recipients_cancelled_count) + recipients_uncertain_count))),
  constraint touchpoint_sends_kind_check CHECK ((kind = ANY (ARRAY['campaign'::text, 'triggered'::text, 'follow_up'::text, 'test'::text]))),
  constraint touchpoint_sends_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'held'::text, 'preparing'::text, 'sending'::text, 'paused'::text, 'completed'::text, 'cancelled'::text, 'failed'::text]))),
  constraint touchpoint_sends_uncertain_policy_check CHECK ((uncertain_policy = ANY (ARRAY['retry'::text, 'hold'::text]))),
  constraint touchpoint_sends_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint touchpoint_sends_organization_id_parent_send_id_fkey FOREIGN KEY (organization_id, parent_send_id) REFERENCES touchpoint_sends(organization_id, id) ON DELETE SET NULL (parent_send_id),
  constraint touchpoint_sends_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES touchpoint_schedules(organization_id, id) ON DELETE SET NULL (schedule_id),
  constraint touchpoint_sends_organization_id_touchpoint_id_fkey FOREIGN KEY (organization_id, touchpoint_id) REFERENCES touchpoints(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX touchpoint_sends_due ON touchpoint_sends USING btree (next_due_at) WHERE (next_due_at IS NOT NULL);
CREATE INDEX touchpoint_sends_id_idx ON touchpoint_sends USING btree (id);
CREATE INDEX touchpoint_sends_open ON touchpoint_sends USING btree (organization_id, send_date) WHERE ((kind <> 'test'::text) AND (status = ANY (ARRAY['queued'::text, 'held'::text, 'preparing'::text, 'sending'::text, 'paused'::text])));
CREATE INDEX touchpoint_sends_organization_id_created_at_idx ON touchpoint_sends USING btree (organization_id, created_at DESC);
CREATE INDEX touchpoint_sends_organization_id_parent_send_id_idx ON touchpoint_sends USING btree (organization_id, parent_send_id) WHERE (parent_send_id IS NOT NULL);
CREATE INDEX touchpoint_sends_organization_id_schedule_id_idx ON touchpoint_sends USING btree (organization_id, schedule_id) WHERE (schedule_id IS NOT NULL);
CREATE INDEX touchpoint_sends_organization_id_touchpoint_id_created_at_idx ON touchpoint_sends USING btree (organization_id, touchpoint_id, created_at DESC);
CREATE INDEX touchpoint_sends_tests ON touchpoint_sends USING btree (created_at) WHERE (kind = 'test'::text);
CREATE UNIQUE INDEX touchpoint_sends_one_follow_up ON touchpoint_sends USING btree (organization_id, parent_send_id) WHERE ((parent_send_id IS NOT NULL) AND (status <> 'failed'::text) AND ((status <> 'cancelled'::text) OR (recipients_total_count > 0)));
CREATE UNIQUE INDEX touchpoint_sends_one_occurrence ON touchpoint_sends USING btree (organization_id, touchpoint_id, COALESCE(item_id, ''::text), occurrence_at) WHERE ((occurrence_at IS NOT NULL) AND (status <> 'failed'::text) AND ((status <> 'cancelled'::text) OR (recipients_total_count > 0)));
CREATE UNIQUE INDEX touchpoint_sends_one_open ON touchpoint_sends USING btree (organization_id, touchpoint_id) WHERE ((kind = ANY (ARRAY['campaign'::text, 'triggered'::text])) AND (NOT in_series) AND (status = ANY (ARRAY['queued'::text, 'held'::text, 'preparing'::text, 'sending'::text, 'paused'::text])));
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on touchpoint_sends as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (brand_id = ANY (( SELECT access_scope_brands() AS access_scope_brands)::uuid[]))));

create table touchpoint_websites (
  organization_id uuid not null,
  id uuid not null,
  touchpoint_id uuid not null,
  hosts text[] not null default '{}'::text[],
  token text not null,
  token_rotated_at timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  constraint touchpoint_websites_pkey PRIMARY KEY (organization_id, id),
  constraint touchpoint_websites_organization_id_touchpoint_id_key UNIQUE (organization_id, touchpoint_id),
  constraint touchpoint_websites_hosts_check CHECK ((cardinality(hosts) <= 20)),
  constraint touchpoint_websites_token_check CHECK ((token ~ '^[\w-]{32,64}$'::text)),
  constraint touchpoint_websites_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint touchpoint_websites_organization_id_touchpoint_id_fkey FOREIGN KEY (organization_id, touchpoint_id) REFERENCES touchpoints(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX touchpoint_websites_id_idx ON touchpoint_websites USING btree (id);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on touchpoint_websites as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (touchpoint_id IN ( SELECT t.id
   FROM touchpoints t))));

create table touchpoints (
  organization_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  name text not null,
  type text not null,
  status text not null default 'draft'::text,
  collection text,
  deleted boolean not null default false,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint touchpoints_pkey PRIMARY KEY (organization_id, id),
  constraint touchpoints_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint touchpoints_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'sending'::text, 'sent'::text, 'active'::text, 'paused'::text, 'archived'::text]))),
  constraint touchpoints_type_check CHECK ((type = ANY (ARRAY['email'::text, 'website'::text]))),
  constraint touchpoints_organization_id_campaign_id_fkey FOREIGN KEY (organization_id, campaign_id) REFERENCES campaigns(organization_id, id) ON DELETE CASCADE,
  constraint touchpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX touchpoints_deleted_at_idx ON touchpoints USING btree (deleted_at) WHERE deleted;
CREATE INDEX touchpoints_id_idx ON touchpoints USING btree (id);
CREATE INDEX touchpoints_organization_id_campaign_id_idx ON touchpoints USING btree (organization_id, campaign_id);
CREATE INDEX touchpoints_organization_id_created_at_idx ON touchpoints USING btree (organization_id, created_at DESC);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on touchpoints as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (campaign_id IN ( SELECT c.id
   FROM campaigns c))));

create table transport_choices (
  organization_id uuid not null,
  brand_id uuid,
  transport_id uuid,
  chosen_for uuid not null generated always as (COALESCE(brand_id, organization_id)) stored,
  constraint transport_choices_pkey PRIMARY KEY (organization_id, chosen_for),
  constraint transport_choices_organization_id_brand_id_fkey FOREIGN KEY (organization_id, brand_id) REFERENCES brands(organization_id, id) ON DELETE CASCADE,
  constraint transport_choices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint transport_choices_organization_id_transport_id_fkey FOREIGN KEY (organization_id, transport_id) REFERENCES transports(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX transport_choices_organization_id_brand_id_idx ON transport_choices USING btree (organization_id, brand_id) WHERE (brand_id IS NOT NULL);
CREATE INDEX transport_choices_organization_id_transport_id_idx ON transport_choices USING btree (organization_id, transport_id) WHERE (transport_id IS NOT NULL);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table transports (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  settings jsonb not null,
  secret text,
  webhook_secret text,
  version integer not null default 1,
  error_content text,
  checked_at timestamp with time zone not null default now(),
  per_second double precision,
  per_day integer,
  open_requests integer,
  left_today integer,
  suppressions_read_at timestamp with time zone,
  suppressions_due_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  constraint transports_pkey PRIMARY KEY (organization_id, id),
  constraint transports_error_content_check CHECK ((char_length(error_content) <= 500)),
  constraint transports_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  constraint transports_open_requests_check CHECK ((open_requests > 0)),
  constraint transports_per_day_check CHECK ((per_day >= 0)),
  constraint transports_per_second_check CHECK ((per_second > (0)::double precision)),
  constraint transports_settings_check CHECK (((settings ->> 'kind'::text) = ANY (ARRAY['smtp'::text, 'elastic_email'::text, 'ses'::text]))),
  constraint transports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table unfolded_message_events (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  send_id uuid not null,
  position bigint not null generated always as identity,
  seq integer not null,
  type text not null,
  at timestamp with time zone not null,
  link_no integer,
  is_bot boolean not null,
  is_first_only boolean not null,
  id uuid not null,
  user_agent text,
  ip_prefix text,
  country text,
  constraint unfolded_message_events_pkey PRIMARY KEY (organization_id, touchpoint_id, send_id, "position")
);
CREATE INDEX unfolded_message_events_position_idx ON unfolded_message_events USING btree ("position");
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy access_scope on unfolded_message_events as restrictive for all to reachout_app using ((( SELECT has_full_access_scope() AS has_full_access_scope) OR (send_id IN ( SELECT s.id
   FROM touchpoint_sends s))));
create policy append on unfolded_message_events for insert to owner with check (true);
create policy fold on unfolded_message_events for delete to owner using (true);

create table unfolded_visitor_events (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null,
  client_at timestamp with time zone,
  type text not null,
  visitor_id uuid not null,
  name text,
  url text not null,
  path text not null,
  title text,
  referrer text,
  referrer_host text,
  language text,
  country text,
  width integer,
  height integer,
  user_id text,
  collection text,
  is_bot boolean not null,
  constraint unfolded_visitor_events_pkey PRIMARY KEY (organization_id, touchpoint_id, id),
  constraint unfolded_visitor_events_type_check CHECK ((type = ANY (ARRAY['VIEW_PAGE'::text, 'IDENTIFY'::text, 'TRACK'::text])))
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy fold on unfolded_visitor_events for all to owner using (true);

create table user_addresses (
  id uuid not null,
  user_id uuid not null,
  line1 text not null,
  line2 text,
  postal_code text,
  city text not null,
  region text,
  country_id text not null,
  deleted boolean not null default false,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint user_addresses_pkey PRIMARY KEY (id),
  constraint user_addresses_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id) ON DELETE RESTRICT,
  constraint user_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX user_addresses_deleted_at_idx ON user_addresses USING btree (deleted_at) WHERE deleted;
CREATE INDEX user_addresses_user_id_idx ON user_addresses USING btree (user_id);
-- Row-level security: forced
create policy own on user_addresses for all to reachout_app using ((user_id = current_user_id()));
create policy retention on user_addresses for delete to owner using ((deleted AND (deleted_at < (now() - '30 days'::interval))));
create policy retention_read on user_addresses for select to owner using ((deleted AND (deleted_at < (now() - '30 days'::interval))));
grant delete, insert, select, update on user_addresses to reachout_app;

create table user_socials (
  id uuid not null,
  user_id uuid not null,
  network text not null,
  url text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint user_socials_pkey PRIMARY KEY (id),
  constraint user_socials_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX user_socials_user_id_idx ON user_socials USING btree (user_id);
-- Row-level security: forced
create policy own on user_socials for all to reachout_app using ((user_id = current_user_id()));
grant delete, insert, select, update on user_socials to reachout_app;

create table users (
  id uuid not null,
  email text not null,
  email_verified boolean not null default false,
  full_name text not null,
  avatar_url text,
  company text,
  phone text,
  website text,
  status text not null default 'active'::text,
  preferences jsonb not null default '{}'::jsonb,
  inserted_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  status_reason text,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email),
  constraint users_preferences_check CHECK ((jsonb_typeof(preferences) = 'object'::text)),
  constraint users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text]))),
  constraint users_status_reason_check CHECK (((char_length(status_reason) >= 1) AND (char_length(status_reason) <= 500)))
);
-- Row-level security: forced
create policy definer on users for select to owner using (true);
create policy own on users for all to reachout_app using ((id = current_user_id()));
create policy reading on users for select to reachout_app using (((id IN ( SELECT m.user_id
   FROM organization_users m)) OR (EXISTS ( SELECT
   FROM audit_log a
  WHERE (a.user_id = users.id)))));
create policy sign_in on users for all to reachout_auth using (true);
grant delete, insert, select, update on users to reachout_app;
grant delete, insert, select, update on users to reachout_auth;

create table verifications (
  id text not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint verifications_pkey PRIMARY KEY (id)
);
CREATE INDEX verifications_identifier_idx ON verifications USING btree (identifier);
-- Row-level security: forced
create policy sign_in on verifications for all to reachout_auth using (true);
grant delete, insert, select, update on verifications to reachout_auth;

create table visitor_contacts (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  visitor_id uuid not null,
  bound_at timestamp with time zone not null,
  send_id uuid not null,
  seq integer not null,
  collection text not null,
  contact_id text not null,
  is_erased boolean not null default false,
  constraint visitor_contacts_pkey PRIMARY KEY (organization_id, touchpoint_id, visitor_id, bound_at),
  constraint visitor_contacts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint visitor_contacts_organization_id_touchpoint_id_fkey FOREIGN KEY (organization_id, touchpoint_id) REFERENCES touchpoints(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX visitor_contacts_erased ON visitor_contacts USING btree (organization_id) WHERE is_erased;
CREATE INDEX visitor_contacts_organization_id_contact_id_bound_at_idx ON visitor_contacts USING btree (organization_id, contact_id, bound_at);
CREATE INDEX visitor_contacts_organization_id_send_id_seq_idx ON visitor_contacts USING btree (organization_id, send_id, seq);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant

create table visitor_days (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  day date not null,
  previous_day date not null,
  sessions bigint not null,
  constraint visitor_days_pkey PRIMARY KEY (organization_id, touchpoint_id, day, previous_day)
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy fold on visitor_days for all to owner using (true);

create table visitor_events (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  at timestamp with time zone not null,
  id uuid not null,
  type text not null,
  visitor_id uuid not null,
  name text,
  url text not null,
  path text not null,
  title text,
  referrer text,
  referrer_host text,
  language text,
  country text,
  width integer,
  height integer,
  user_id text,
  collection text,
  is_bot boolean not null,
  constraint visitor_events_pkey PRIMARY KEY (organization_id, touchpoint_id, at, id)
) partition by RANGE (at);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy fold on visitor_events for all to owner using (true);

create table visitor_sessions (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  visitor_id uuid not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  previous_started_at timestamp with time zone,
  page_views integer not null,
  events integer not null,
  first_path text not null,
  referrer_host text,
  language text,
  country text,
  width integer,
  tracks integer not null,
  previous_day date generated always as (((previous_started_at AT TIME ZONE 'UTC'::text))::date) stored,
  is_long boolean not null generated always as (((ended_at - started_at) > '06:00:00'::interval)) stored,
  constraint visitor_sessions_pkey PRIMARY KEY (organization_id, touchpoint_id, visitor_id, started_at) INCLUDE (is_long)
);
CREATE INDEX visitor_sessions_by_previous_day ON visitor_sessions USING btree (organization_id, touchpoint_id, previous_day, started_at) WHERE (previous_day IS NOT NULL);
CREATE INDEX visitor_sessions_by_start ON visitor_sessions USING btree (organization_id, touchpoint_id, started_at) WHERE (events > 0);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy fold on visitor_sessions for all to owner using (true);

create table visitor_value_months (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  dimension text not null,
  month date not null,
  is_other boolean not null,
  value text not null,
  running_counts integer[] not null,
  running_sessions integer[] not null,
  constraint visitor_value_months_pkey PRIMARY KEY (organization_id, touchpoint_id, dimension, month, is_other, value),
  constraint visitor_value_months_dimension_check CHECK ((dimension = ANY (ARRAY['path'::text, 'host'::text, 'referrer'::text, 'country'::text, 'language'::text, 'screen'::text, 'event'::text])))
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy fold on visitor_value_months for all to owner using (true);

create table warm_up_plans (
  domain text not null,
  first_limit integer not null,
  growth numeric(3,2) not null,
  last_limit integer not null,
  first_day date not null default ((now() AT TIME ZONE 'UTC'::text))::date,
  counted_day date not null default ((now() AT TIME ZONE 'UTC'::text))::date,
  counted integer not null default 0,
  constraint warm_up_plans_pkey PRIMARY KEY (domain),
  constraint warm_up_plans_check CHECK ((last_limit >= first_limit)),
  constraint warm_up_plans_counted_check CHECK ((counted >= 0)),
  constraint warm_up_plans_first_limit_check CHECK ((first_limit >= 1)),
  constraint warm_up_plans_growth_check CHECK (((growth >= 1.01) AND (growth <= (3)::numeric)))
);
-- Row-level security: forced
create policy workers on warm_up_plans for all to reachout_app using (true);
grant delete, insert, select, update on warm_up_plans to reachout_app;

create table website_drops (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  day date not null,
  reason text not null,
  count bigint not null,
  last_at timestamp with time zone not null,
  constraint website_drops_pkey PRIMARY KEY (organization_id, touchpoint_id, day, reason),
  constraint website_drops_reason_check CHECK ((reason = ANY (ARRAY['host'::text, 'inactive'::text, 'limit'::text, 'quota'::text, 'invalid'::text])))
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy count on website_drops for insert to owner with check (true);
create policy count_more on website_drops for update to owner using (true);

create table website_use (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  day date not null,
  events bigint not null,
  bytes bigint not null,
  constraint website_use_pkey PRIMARY KEY (organization_id, touchpoint_id)
);
-- policies/tenants.sql: row-level security, policies tenant and definer, grant
create policy count on website_use for insert to owner with check (true);
create policy count_more on website_use for update to owner using (true);

create table write_checks (
  id boolean not null default true,
  written_at timestamp with time zone not null,
  constraint write_checks_pkey PRIMARY KEY (id),
  constraint write_checks_id_check CHECK (id)
);
-- Row-level security: forced
create policy anybody on write_checks for all to reachout_app using (true);
grant insert, select, update on write_checks to reachout_app;

create view brand_overviews with (security_invoker=true) as
 SELECT organization_id,
    id,
    client_id,
    name,
    logo_url,
    deleted,
    deleted_at,
    created_at,
    updated_at,
    color,
    dark_logo_url,
    from_name,
    from_email,
    reply_to,
    postal_address,
    imprint,
    imprint_url,
    time_zone,
    quiet_hours_start,
    quiet_hours_end,
    tracking_policy,
    client_name,
    ( SELECT o.error_content
           FROM content_outbox o
          WHERE o.organization_id = b.organization_id AND o.collection = 'reachout_brands'::text AND o.id = b.id) AS error_content
   FROM current_brands b;
grant select on brand_overviews to reachout_app;

create view campaign_overviews with (security_invoker=true) as
 SELECT organization_id,
    id,
    brand_id,
    name,
    status,
    deleted,
    deleted_at,
    created_at,
    updated_at,
    brand_name,
    brand_logo_url,
    brand_dark_logo_url,
    brand_color,
    client_id,
    client_name,
    ( SELECT o.error_content
           FROM content_outbox o
          WHERE o.organization_id = c.organization_id AND o.collection = 'reachout_campaigns'::text AND o.id = c.id) AS error_content,
    ( SELECT min(s.scheduled_date) AS min
           FROM touchpoints t
             JOIN coming_sends s ON s.organization_id = t.organization_id AND s.touchpoint_id = t.id
          WHERE t.organization_id = c.organization_id AND t.campaign_id = c.id AND NOT t.deleted) AS scheduled_date,
    ( SELECT s.time_zone
           FROM touchpoints t
             JOIN coming_sends s ON s.organization_id = t.organization_id AND s.touchpoint_id = t.id
          WHERE t.organization_id = c.organization_id AND t.campaign_id = c.id AND NOT t.deleted
          ORDER BY s.scheduled_date, s.id
         LIMIT 1) AS scheduled_date_tz
   FROM current_campaigns c;
grant select on campaign_overviews to reachout_app;

create view campaigns_touchpoints with (security_invoker=true) as
 SELECT c.organization_id,
    c.id AS campaign_id,
    c.name AS campaign_name,
    c.status AS campaign_status,
    c.brand_id,
    c.brand_name,
    c.brand_logo_url,
    c.brand_dark_logo_url,
    c.brand_color,
    c.client_id,
    c.client_name,
    t.id AS touchpoint_id,
    t.name AS touchpoint_name,
    t.status AS touchpoint_status,
    t.type AS touchpoint_type,
    t.updated_at AS touchpoint_updated_at
   FROM current_campaigns c
     LEFT JOIN touchpoints t ON t.organization_id = c.organization_id AND t.campaign_id = c.id AND NOT t.deleted;
grant select on campaigns_touchpoints to reachout_app;

create view clients_brands with (security_invoker=true) as
 SELECT c.organization_id,
    c.id AS client_id,
    c.name AS client_name,
    b.id AS brand_id,
    b.name AS brand_name,
    c.logo_url AS client_logo_url,
    b.logo_url AS brand_logo_url,
    b.dark_logo_url AS brand_dark_logo_url,
    b.color AS brand_color
   FROM clients c
     LEFT JOIN brands b ON b.organization_id = c.organization_id AND b.client_id = c.id AND NOT b.deleted
  WHERE NOT c.deleted;
grant select on clients_brands to reachout_app;

create view coming_sends with (security_invoker=true) as
 SELECT s.organization_id,
    s.id,
    s.touchpoint_id,
    s.schedule_id,
    s.status,
    s.send_date,
    GREATEST(s.send_date, s.occurrence_at) AS scheduled_date,
    p.time_zone,
    c.confirmed_at,
    s.item_id,
    s.in_series AND p.rrule IS NULL AS is_queued_item
   FROM touchpoint_sends s
     LEFT JOIN touchpoint_schedules p ON p.organization_id = s.organization_id AND p.id = s.schedule_id
     LEFT JOIN touchpoint_send_contents c ON c.organization_id = s.organization_id AND c.send_id = s.id
  WHERE s.kind = 'campaign'::text AND (s.status = ANY (ARRAY['queued'::text, 'held'::text]));
grant select on coming_sends to reachout_app;

create view consent_records with (security_invoker=true) as
 SELECT organization_id,
    address_key,
    kind,
    brand_id,
    topic_id,
    value,
    until,
    changed_at
   FROM choices
  WHERE kind = ANY (ARRAY['suppression'::text, 'topic'::text, 'pause'::text]);
grant select on consent_records to reachout_app;

create view contact_visitors with (security_invoker=true) as
 SELECT organization_id,
    collection,
    contact_id,
    touchpoint_id,
    visitor_id,
    bound_at,
    ( SELECT min(n.bound_at) AS min
           FROM visitor_contacts n
          WHERE n.organization_id = v.organization_id AND n.touchpoint_id = v.touchpoint_id AND n.visitor_id = v.visitor_id AND n.bound_at > v.bound_at) AS bound_until
   FROM visitor_contacts v;
grant select on contact_visitors to reachout_app;

create view conversion_counts with (security_invoker=true) as
 SELECT organization_id,
    touchpoint_id,
    subject_id,
    dimension,
    value,
    day,
    running_counts,
    running_amounts
   FROM counts c
  WHERE dimension = 'conversion'::text AND (EXISTS ( SELECT
           FROM conversion_goals g
          WHERE g.organization_id = c.organization_id AND g.id = c.subject_id));
grant select on conversion_counts to reachout_app;

create view converted_messages with (security_invoker=true) as
 SELECT organization_id,
    email_touchpoint_id AS touchpoint_id,
    send_id,
    seq,
    min(at) AS first_at,
    count(*) AS conversions,
    COALESCE(sum(value), 0::numeric) AS value
   FROM current_conversions
  WHERE send_id IS NOT NULL
  GROUP BY organization_id, email_touchpoint_id, send_id, seq;
grant select on converted_messages to reachout_app;

create view counted_results with (security_invoker=true) as
 SELECT delivery_result_totals.organization_id,
    delivery_result_totals.touchpoint_id,
    delivery_result_totals.send_id,
    delivery_result_totals.at,
    delivery_result_totals.state,
    delivery_result_totals.class,
    delivery_result_totals.count,
    delivery_result_totals.not_measured
   FROM delivery_result_totals
UNION ALL
 SELECT c.organization_id,
    s.touchpoint_id,
    c.send_id,
    r.at,
    r.state,
    r.class,
    r.count,
    r.not_measured
   FROM touchpoint_sends s
     JOIN delivery_chunks c ON c.organization_id = s.organization_id AND c.send_id = s.id AND c.lease_token > 0 AND NOT c.counted
     CROSS JOIN LATERAL sum_results(c.organization_id, c.send_id, c.first_seq, c.last_seq) r(at, state, class, count, not_measured);
grant select on counted_results to reachout_app;

create view counted_sends with (security_invoker=true) as
 SELECT s.organization_id,
    s.id,
    s.send_number,
    s.touchpoint_id,
    s.brand_id,
    s.item_id,
        CASE
            WHEN s.item_id IS NOT NULL THEN ( SELECT COALESCE(i.item ->> 'title'::text, i.item ->> 'name'::text, i.item ->> 'subject'::text, i.item ->> 'headline'::text, s.item_id) AS "coalesce"
               FROM touchpoint_send_contents c_1
                 CROSS JOIN LATERAL ( SELECT c_1.content #> '{context,item}'::text[] AS item) i
              WHERE c_1.organization_id = s.organization_id AND c_1.send_id = s.id)
            ELSE NULL::text
        END AS item_title,
    s.kind,
    s.parent_send_id,
    s.schedule_id,
    s.occurrence_at,
    s.in_series,
    ( SELECT p.time_zone
           FROM touchpoint_schedules p
          WHERE p.organization_id = s.organization_id AND p.id = s.schedule_id) AS time_zone,
    s.status,
    s.send_date,
    s.end_date,
    s.uncertain_policy,
    s.error,
    s.audience_breakdown,
    s.user_created,
    s.created_at,
    s.updated_at,
    s.recipients_confirmed_count,
    s.recipients_total_count,
    s.recipients_accepted_count + c.sent AS recipients_accepted_count,
    s.recipients_total_sent_count + c.sent AS recipients_total_sent_count,
    s.recipients_total_delivery_failed_count + c.bounced AS recipients_total_delivery_failed_count,
    s.recipients_total_failed_count + c.failed AS recipients_total_failed_count,
    s.recipients_suppressed_count + c.suppressed AS recipients_suppressed_count,
    s.recipients_skipped_count,
    s.recipients_cancelled_count,
    s.recipients_uncertain_count + c.uncertain AS recipients_uncertain_count,
    s.recipients_not_measured_count + c.not_measured AS recipients_not_measured_count
   FROM touchpoint_sends s
     CROSS JOIN LATERAL ( SELECT COALESCE(sum(delivery_chunks.sent_count), 0::bigint)::integer AS sent,
            COALESCE(sum(delivery_chunks.bounced_count), 0::bigint)::integer AS bounced,
            COALESCE(sum(delivery_chunks.failed_count), 0::bigint)::integer AS failed,
            COALESCE(sum(delivery_chunks.suppressed_count), 0::bigint)::integer AS suppressed,
            COALESCE(sum(delivery_chunks.uncertain_count), 0::bigint)::integer AS uncertain,
            COALESCE(sum(delivery_chunks.not_measured_count), 0::bigint)::integer AS not_measured
           FROM delivery_chunks
          WHERE delivery_chunks.organization_id = s.organization_id AND delivery_chunks.send_id = s.id AND delivery_chunks.lease_token > 0 AND NOT delivery_chunks.counted) c;
grant select on counted_sends to reachout_app;

create view counted_visitor_events with (security_invoker=true) as
 SELECT organization_id,
    touchpoint_id,
    at,
    id,
    type,
    visitor_id,
    name,
    url,
    path,
    title,
    referrer,
    referrer_host,
    language,
    country,
    width,
    height,
    user_id,
    collection,
    is_bot
   FROM visitor_events
  WHERE NOT is_bot;
grant select on counted_visitor_events to reachout_app;

create view current_brands with (security_invoker=true) as
 SELECT b.organization_id,
    b.id,
    b.client_id,
    b.name,
    b.logo_url,
    b.deleted,
    b.deleted_at,
    b.created_at,
    b.updated_at,
    b.color,
    b.dark_logo_url,
    b.from_name,
    b.from_email,
    b.reply_to,
    b.postal_address,
    b.imprint,
    b.imprint_url,
    b.time_zone,
    b.quiet_hours_start,
    b.quiet_hours_end,
    b.tracking_policy,
    c.name AS client_name
   FROM brands b
     JOIN clients c ON c.organization_id = b.organization_id AND c.id = b.client_id AND NOT c.deleted
  WHERE NOT b.deleted;
grant select on current_brands to reachout_app;

create view current_campaigns with (security_invoker=true) as
 SELECT c.organization_id,
    c.id,
    c.brand_id,
    c.name,
    c.status,
    c.deleted,
    c.deleted_at,
    c.created_at,
    c.updated_at,
    b.name AS brand_name,
    b.logo_url AS brand_logo_url,
    b.dark_logo_url AS brand_dark_logo_url,
    b.color AS brand_color,
    b.client_id,
    b.client_name
   FROM campaigns c
     JOIN current_brands b ON b.organization_id = c.organization_id AND b.id = c.brand_id
  WHERE NOT c.deleted;
grant select on current_campaigns to reachout_app;

create view current_conversions with (security_invoker=true) as
 SELECT organization_id,
    touchpoint_id,
    event_id,
    goal_id,
    at,
    window_days,
    value,
    visitor_id,
    email_touchpoint_id,
    send_id,
    seq
   FROM conversions c
  WHERE (EXISTS ( SELECT
           FROM conversion_goals g
          WHERE g.organization_id = c.organization_id AND g.id = c.goal_id));
grant select on current_conversions to reachout_app;

create view current_sending_domains with (security_invoker=true) as
 SELECT organization_id,
    id,
    client_id,
    brand_id,
    domain,
    status,
    destination,
    next_check_at,
    created_at,
    updated_at
   FROM sending_domains d
  WHERE NOT (EXISTS ( SELECT
           FROM clients c
          WHERE c.organization_id = d.organization_id AND c.id = d.client_id AND c.deleted)) AND NOT (EXISTS ( SELECT
           FROM brands b
          WHERE b.organization_id = d.organization_id AND b.id = d.brand_id AND b.deleted));
grant select on current_sending_domains to reachout_app;

create view current_touchpoints with (security_invoker=true) as
 SELECT t.organization_id,
    t.id,
    t.campaign_id,
    t.name,
    t.type,
    t.status,
    t.collection,
    t.deleted,
    t.deleted_at,
    t.created_at,
    t.updated_at,
    c.name AS campaign_name,
    c.status AS campaign_status,
    c.brand_id,
    c.brand_name,
    c.brand_logo_url,
    c.brand_dark_logo_url,
    c.brand_color,
    c.client_id,
    c.client_name
   FROM touchpoints t
     JOIN current_campaigns c ON c.organization_id = t.organization_id AND c.id = t.campaign_id
  WHERE NOT t.deleted;
grant select on current_touchpoints to reachout_app;

create view event_listeners with (security_invoker=true) as
 SELECT l.organization_id,
    l.id,
    l.touchpoint_event_id,
    l.listener_touchpoint_id,
    l.delay,
    l.unless,
    l.once_per_contact,
    l.quiet_hours,
    l.dropped_count,
    l.created_at,
    l.updated_at,
    e.event_type,
    e.notifier_touchpoint_id,
    n.name AS notifier_name,
    a.name AS action,
    t.name AS listener_name,
    t.status AS listener_status,
    t.type AS listener_type
   FROM touchpoint_event_listeners l
     JOIN touchpoint_events e ON e.organization_id = l.organization_id AND e.id = l.touchpoint_event_id
     JOIN touchpoint_event_actions a ON a.id = e.touchpoint_event_action_id
     JOIN current_touchpoints t ON t.organization_id = l.organization_id AND t.id = l.listener_touchpoint_id
     LEFT JOIN current_touchpoints n ON n.organization_id = e.organization_id AND n.id = e.notifier_touchpoint_id
  WHERE e.notifier_touchpoint_id IS NULL OR n.id IS NOT NULL;
grant select on event_listeners to reachout_app;

create view message_contacts with (security_invoker=true) as
 SELECT d.organization_id,
    d.send_id,
    d.seq,
    COALESCE(c.audience ->> 'collection'::text, ( SELECT m.collection
           FROM messages m
          WHERE m.organization_id = d.organization_id AND m.send_id = d.send_id AND m.seq = d.seq), ''::text) AS collection,
    d.contact_id
   FROM deliveries d
     JOIN touchpoint_sends s ON s.organization_id = d.organization_id AND s.id = d.send_id AND s.kind <> 'test'::text
     LEFT JOIN touchpoint_send_contents c ON c.organization_id = d.organization_id AND c.send_id = d.send_id;
grant select on message_contacts to reachout_app;

create view offered_topics with (security_invoker=true) as
 SELECT organization_id,
    brand_id,
    id,
    name,
    description,
    is_default,
    "position"
   FROM topics;
grant select on offered_topics to reachout_app;

create view topic_emails with (security_invoker=true) as
 SELECT e.organization_id,
    e.topic_id,
    t.id AS touchpoint_id,
    t.client_id,
    t.brand_id
   FROM touchpoint_emails e
     JOIN current_touchpoints t ON t.organization_id = e.organization_id AND t.id = e.touchpoint_id
  WHERE e.topic_id IS NOT NULL;
grant select on topic_emails to reachout_app;

create view topic_sends with (security_invoker=true) as
 SELECT organization_id,
    topic_id,
    id AS send_id
   FROM touchpoint_sends s
  WHERE topic_id IS NOT NULL AND kind <> 'test'::text AND (status = ANY (ARRAY['queued'::text, 'held'::text, 'preparing'::text, 'sending'::text, 'paused'::text]));
grant select on topic_sends to reachout_app;

create view touchpoint_collection_items with (security_invoker=true) as
 SELECT organization_id,
    touchpoint_id,
    item_id,
    COALESCE(item_title, item_id) AS item_title,
    id AS send_id,
    schedule_id,
    occurrence_at AS schedule_date,
    time_zone,
    error,
    recipients_total_delivery_failed_count + recipients_total_failed_count AS failed_count,
        CASE
            WHEN (status <> ALL (ARRAY['queued'::text, 'held'::text])) AND audience_breakdown IS NOT NULL THEN send_date
            ELSE NULL::timestamp with time zone
        END AS send_date,
        CASE
            WHEN status = ANY (ARRAY['queued'::text, 'held'::text]) THEN 'scheduled'::text
            WHEN status = ANY (ARRAY['preparing'::text, 'sending'::text, 'paused'::text]) THEN 'sending'::text
            WHEN status = 'completed'::text AND recipients_total_sent_count > 0 THEN 'sent'::text
            WHEN status = 'cancelled'::text THEN 'cancelled'::text
            ELSE 'failed'::text
        END AS item_status
   FROM counted_sends s
  WHERE kind = 'campaign'::text AND item_id IS NOT NULL AND occurrence_at IS NOT NULL;
grant select on touchpoint_collection_items to reachout_app;

create view touchpoint_overviews with (security_invoker=true) as
 SELECT organization_id,
    id,
    campaign_id,
    name,
    type,
    status,
    collection,
    deleted,
    deleted_at,
    created_at,
    updated_at,
    campaign_name,
    campaign_status,
    brand_id,
    brand_name,
    brand_logo_url,
    brand_dark_logo_url,
    brand_color,
    client_id,
    client_name,
    ( SELECT o.error_content
           FROM content_outbox o
          WHERE o.organization_id = t.organization_id AND o.collection = 'reachout_touchpoints'::text AND o.id = t.id) AS error_content,
    ( SELECT min(s.scheduled_date) AS min
           FROM coming_sends s
          WHERE s.organization_id = t.organization_id AND s.touchpoint_id = t.id) AS scheduled_date,
    ( SELECT s.time_zone
           FROM coming_sends s
          WHERE s.organization_id = t.organization_id AND s.touchpoint_id = t.id
          ORDER BY s.scheduled_date, s.id
         LIMIT 1) AS scheduled_date_tz,
    ( SELECT COALESCE(json_agg(p.*), '[]'::json) AS "coalesce"
           FROM ( SELECT p_1.id,
                    to_char((p_1.start_date AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text) AS start_date,
                    p_1.is_active
                   FROM (( SELECT p_2.id,
                            p_2.start_date,
                            p_2.is_active
                           FROM touchpoint_schedules p_2
                          WHERE p_2.organization_id = t.organization_id AND p_2.touchpoint_id = t.id AND p_2.is_active
                          ORDER BY p_2.start_date
                         LIMIT 10)
                        UNION ALL
                        ( SELECT p_2.id,
                            p_2.start_date,
                            p_2.is_active
                           FROM touchpoint_schedules p_2
                          WHERE p_2.organization_id = t.organization_id AND p_2.touchpoint_id = t.id AND NOT p_2.is_active
                          ORDER BY p_2.start_date DESC
                         LIMIT 10)) p_1
                  ORDER BY p_1.is_active DESC, (
                        CASE
                            WHEN p_1.is_active THEN p_1.start_date
                            ELSE NULL::timestamp with time zone
                        END), p_1.start_date DESC
                 LIMIT 10) p) AS schedules,
    ( SELECT json_build_object('id', o.id, 'name', o.name, 'status', o.status) AS json_build_object
           FROM organizations o
          WHERE o.id = t.organization_id) AS organization
   FROM current_touchpoints t;
grant select on touchpoint_overviews to reachout_app;

create view tracking_policies with (security_invoker=true) as
 SELECT organization_id,
    id AS brand_id,
    tracking_policy
   FROM brands;
grant select on tracking_policies to reachout_app;

create view tracking_records with (security_invoker=true) as
 SELECT organization_id,
    brand_id,
    address_key,
    value = 'allowed'::text AS is_allowed
   FROM choices
  WHERE kind = 'tracking'::text;
grant select on tracking_records to reachout_app;

create view visits with (security_invoker=true) as
 SELECT organization_id,
    touchpoint_id,
    visitor_id,
    started_at,
    ended_at,
    previous_started_at,
    page_views,
    events,
    first_path,
    referrer_host,
    language,
    country,
    width,
    tracks,
    previous_day,
    is_long
   FROM visitor_sessions
  WHERE events > 0;
grant select on visits to reachout_app;

create function access_scope_brand_ids()
  returns uuid[]
  language sql stable;
grant execute on routine access_scope_brand_ids() to reachout_app;

create function access_scope_brands()
  returns uuid[]
  language plpgsql stable;
grant execute on routine access_scope_brands() to reachout_app;

create function access_scope_client_ids()
  returns uuid[]
  language sql stable;
grant execute on routine access_scope_client_ids() to reachout_app;

create function access_scope_collections()
  returns text[]
  language plpgsql stable;
grant execute on routine access_scope_collections() to reachout_app;

create function access_scope_content_organization_ids()
  returns uuid[]
  language sql stable;
grant execute on routine access_scope_content_organization_ids() to reachout_app;

create function access_scope_template_organization_ids()
  returns uuid[]
  language sql stable;
grant execute on routine access_scope_template_organization_ids() to reachout_app;

create function add_reached_dates(of_organization uuid, of_event uuid, of_collection text, field text, days integer, is_yearly boolean, day date)
  returns integer
  language sql volatile;
grant execute on routine add_reached_dates(uuid,uuid,text,text,integer,boolean,date) to reachout_app;

create function add_reactions(causes cause[])
  returns integer
  language plpgsql volatile set enable_seqscan=off set plan_cache_mode=force_generic_plan;
grant execute on routine add_reactions(cause[]) to reachout_app;

create function add_running_counts(running anyarray, added anyarray)
  returns anyarray
  language plpgsql immutable;
grant execute on routine add_running_counts(anyarray,anyarray) to reachout_app;

create function add_to_counts(deltas count_delta[])
  returns void
  language sql volatile;
grant execute on routine add_to_counts(count_delta[]) to reachout_app;

create function add_website_drops(added json)
  returns void
  language sql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine add_website_drops(json) to reachout_app;

create function add_website_use(added json)
  returns TABLE(touchpoint_id uuid, day integer, events bigint, bytes bigint)
  language sql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine add_website_use(json) to reachout_app;

create function address_of_user(of_user uuid)
  returns text
  language sql stable;
grant execute on routine address_of_user(uuid) to reachout_app;

create function api_key_by_hash(hashes text[])
  returns TABLE(id uuid, organization_id uuid, user_id uuid, scopes text[], last_used_at timestamp with time zone)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine api_key_by_hash(text[]) to reachout_app;

create function append_message_events(added json)
  returns void
  language sql volatile security definer set search_path=pg_catalog, public, pg_temp set enable_seqscan=off;
grant execute on routine append_message_events(json) to reachout_app;

create function append_visitor_events(added json)
  returns void
  language sql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine append_visitor_events(json) to reachout_app;

create function avatar_of(person_id uuid)
  returns text
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine avatar_of(uuid) to reachout_app;

create function between_months(key text, key_type regtype, from_month timestamp without time zone, to_month timestamp without time zone)
  returns text
  language sql stable;

create function bound_visitor_month(of_organization uuid, of_touchpoint uuid, of_dimension text, of_month date, has_negative boolean)
  returns void
  language plpgsql volatile set search_path=pg_catalog, public, pg_temp;

create function brand_logos(brand uuid)
  returns TABLE(logo_url text, dark_logo_url text)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine brand_logos(uuid) to reachout_app;

create function cancel_reactions(refuted cause[])
  returns void
  language plpgsql volatile;

create function cause_of_message(of_organization uuid, of_send uuid, of_seq integer)
  returns jsonb
  language sql stable;
grant execute on routine cause_of_message(uuid,uuid,integer) to reachout_app;

create function check_writes()
  returns void
  language sql volatile set work_mem=64kB;
grant execute on routine check_writes() to reachout_app;

create function chosen_transport(of_organization uuid, of_brand uuid)
  returns uuid
  language sql stable;
grant execute on routine chosen_transport(uuid,uuid) to reachout_app;

create function collections_to_erase(max_rows integer)
  returns TABLE(organization_id uuid, collection text)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine collections_to_erase(integer) to reachout_app;

create function contact_is_gone(of_organization uuid, of_collection text, contact_id text)
  returns boolean
  language sql stable set search_path=pg_catalog, public, pg_temp;
grant execute on routine contact_is_gone(uuid,text,text) to reachout_app;

create function count_audiences_of(wanted text)
  returns bigint
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine count_audiences_of(text) to reachout_app;

create function count_content(kind text)
  returns bigint
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine count_content(text) to reachout_app;

create function count_dropped_reactions(of_organization uuid, of_listener uuid, dropped bigint)
  returns bigint
  language plpgsql volatile;
grant execute on routine count_dropped_reactions(uuid,uuid,bigint) to reachout_app;

create function count_item_bytes()
  returns trigger
  language plpgsql volatile set search_path=pg_catalog, public, pg_temp;

create function count_open_jobs(job_kind text, of_installation boolean, max_count integer)
  returns integer
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine count_open_jobs(text,boolean,integer) to reachout_app;

create function count_other_users(kind text, key text, owner_client uuid, owner_brand uuid)
  returns bigint
  language plpgsql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine count_other_users(text,text,uuid,uuid) to reachout_app;

create function count_sending_domains()
  returns bigint
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine count_sending_domains() to reachout_app;

create function count_stored_bytes()
  returns trigger
  language plpgsql volatile set search_path=pg_catalog, public, pg_temp;

create function count_unfolded_events(most integer)
  returns TABLE(subject text, count bigint, seconds double precision)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine count_unfolded_events(integer) to reachout_app;

create function count_visitors(of_organization uuid, of_touchpoint uuid, from_time timestamp with time zone, to_time timestamp with time zone)
  returns bigint
  language plpgsql stable;
grant execute on routine count_visitors(uuid,uuid,timestamp with time zone,timestamp with time zone) to reachout_app;

create function counted_until(of_organization uuid, of_subject text)
  returns timestamp with time zone
  language sql stable;
grant execute on routine counted_until(uuid,text) to reachout_app;

create function counts_between(running anyarray, first integer, until integer)
  returns anyelement
  language sql immutable;
grant execute on routine counts_between(anyarray,integer,integer) to reachout_app;

create function create_partitions(parent_table text)
  returns TABLE(partition text, moved_rows bigint)
  language sql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine create_partitions(text) to reachout_auth;

create function current_organization_id()
  returns uuid
  language sql stable;
grant execute on routine current_organization_id() to reachout_app;

create function current_user_id()
  returns uuid
  language sql stable;
grant execute on routine current_user_id() to reachout_app;

create function default_content_megabytes()
  returns integer
  language sql immutable;
grant execute on routine default_content_megabytes() to reachout_app;

create function delete_expired(expired text, max_rows integer)
  returns integer
  language plpgsql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine delete_expired(text,integer) to reachout_app;

create function drop_empty_partitions()
  returns SETOF text
  language plpgsql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine drop_empty_partitions() to reachout_auth;

create function due_dates(skipped uuid[])
  returns TABLE(organization_id uuid, touchpoint_event_id uuid, collection text, field text, days integer, is_yearly boolean, day date)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine due_dates(uuid[]) to reachout_app;

create function due_jobs(kinds text[], free_slots integer[], per_organization integer[], served uuid[])
  returns SETOF uuid
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine due_jobs(text[],integer[],integer[],uuid[]) to reachout_auth;

create function due_reactions(max_rows integer)
  returns TABLE(organization_id uuid, touchpoint_id uuid, action text)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp set enable_seqscan=off;
grant execute on routine due_reactions(integer) to reachout_app;

create function due_sending_domains(max_rows integer)
  returns TABLE(organization_id uuid, id uuid)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine due_sending_domains(integer) to reachout_app;

create function due_sends(prepare_rows integer, max_rows integer, held uuid[], of_dead_workers boolean, prepared_for uuid)
  returns TABLE(work text, organization_id uuid, send_id uuid, kind text, status text, next_due_at timestamp with time zone)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine due_sends(integer,integer,uuid[],boolean,uuid) to reachout_app;

create function due_transports(wanted integer)
  returns TABLE(organization_id uuid, id uuid, read_at timestamp with time zone)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine due_transports(integer) to reachout_app;

create function email_of_send(of_organization uuid, of_send uuid)
  returns uuid
  language sql stable;
grant execute on routine email_of_send(uuid,uuid) to reachout_app;

create function erase_my_personal_data()
  returns void
  language plpgsql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine erase_my_personal_data() to reachout_app;

create function erase_organization(expired_id uuid)
  returns boolean
  language plpgsql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine erase_organization(uuid) to reachout_app;

create function erase_resubscriptions(of_address_key text)
  returns void
  language plpgsql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine erase_resubscriptions(text) to reachout_app;

create function event_values(of_organization uuid, of_touchpoint uuid, type text, since timestamp with time zone)
  returns TABLE(value text, count bigint)
  language plpgsql stable;
grant execute on routine event_values(uuid,uuid,text,timestamp with time zone) to reachout_app;

create function first_key_of(key_type regtype, month timestamp without time zone)
  returns text
  language sql stable;

create function fold_message_events(max_rows integer, only_organization uuid DEFAULT NULL::uuid)
  returns integer
  language plpgsql volatile security definer set search_path=pg_catalog, public, pg_temp set enable_seqscan=off;
grant execute on routine fold_message_events(integer,uuid) to reachout_app;

create function fold_visitor_events(max_rows integer, only_organization uuid DEFAULT NULL::uuid)
  returns integer
  language plpgsql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine fold_visitor_events(integer,uuid) to reachout_app;

create function full_name_of(of_user_id uuid)
  returns text
  language sql stable;
grant execute on routine full_name_of(uuid) to reachout_app;

create function has_contacts(of_organization uuid)
  returns boolean
  language sql stable;
grant execute on routine has_contacts(uuid) to reachout_app;

create function has_full_access_scope()
  returns boolean
  language sql stable;
grant execute on routine has_full_access_scope() to reachout_app;

create function has_full_item_scope()
  returns boolean
  language sql stable;
grant execute on routine has_full_item_scope() to reachout_app;

create function has_other_clients(than uuid)
  returns boolean
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine has_other_clients(uuid) to reachout_app;

create function has_second_factor()
  returns boolean
  language sql stable;

create function hold_erasures(of_organization uuid)
  returns void
  language sql volatile;
grant execute on routine hold_erasures(uuid) to reachout_app;

create function hold_link_place(link_hashes text[], new_user uuid)
  returns boolean
  language plpgsql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine hold_link_place(text[],uuid) to reachout_auth;

create function invitation_by_hash(hashes text[])
  returns TABLE(kind text, organization_id uuid, invitation_id uuid)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine invitation_by_hash(text[]) to reachout_app;

create function is_bounce_host(host text)
  returns boolean
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine is_bounce_host(text) to reachout_app;

create function is_domain_taken(wanted text)
  returns boolean
  language plpgsql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine is_domain_taken(text) to reachout_app;

create function is_domain_used(domain_id uuid)
  returns boolean
  language sql stable set search_path=pg_catalog, public, pg_temp;
grant execute on routine is_domain_used(uuid) to reachout_app;

create function is_invited(address text, link_hashes text[])
  returns boolean
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine is_invited(text,text[]) to reachout_auth;

create function is_new_track_event(of_organization uuid, of_touchpoint uuid, of_id uuid, of_at timestamp with time zone, of_name text)
  returns boolean
  language sql stable;
grant execute on routine is_new_track_event(uuid,uuid,uuid,timestamp with time zone,text) to reachout_app;

create function is_stopped(of_organization uuid, of_touchpoint uuid, of_collection text, of_contact text)
  returns boolean
  language sql stable;
grant execute on routine is_stopped(uuid,uuid,text,text) to reachout_app;

create function is_tracked(policy text, choice boolean, field boolean)
  returns boolean
  language sql immutable;
grant execute on routine is_tracked(text,boolean,boolean) to reachout_app;

create function is_usable_for(owner_client uuid, owner_brand uuid, user_client uuid, user_brand uuid)
  returns boolean
  language sql immutable;
grant execute on routine is_usable_for(uuid,uuid,uuid,uuid) to reachout_app;

create function is_void(r reactions, unless jsonb, until timestamp with time zone DEFAULT 'infinity'::timestamp with time zone)
  returns boolean
  language plpgsql stable;
grant execute on routine is_void(reactions,jsonb,timestamp with time zone) to reachout_app;

create function listens_to(of_organization uuid, of_source text, type text)
  returns boolean
  language sql stable;
grant execute on routine listens_to(uuid,text,text) to reachout_app;

create function living_workers()
  returns SETOF integer
  language sql stable;
grant execute on routine living_workers() to reachout_app;

create function make_partitions(most_rows bigint)
  returns TABLE(parent_table text, partition text, moved_rows bigint)
  language sql volatile set search_path=pg_catalog, public, pg_temp;

create function make_partitions_of(parent_table text, most_rows bigint)
  returns TABLE(partition text, moved_rows bigint)
  language plpgsql volatile set search_path=pg_catalog, public, pg_temp;

create function matches_pattern(pattern text, given text)
  returns boolean
  language sql immutable;
grant execute on routine matches_pattern(text,text) to reachout_app;

create function message_fold_lock()
  returns bigint
  language sql immutable;
grant execute on routine message_fold_lock() to reachout_app;

create function messages_of_contact(of_organization uuid, of_touchpoint uuid, of_collection text, of_contact text)
  returns TABLE(send_id uuid, seq integer)
  language plpgsql stable;
grant execute on routine messages_of_contact(uuid,uuid,text,text) to reachout_app;

create function my_api_keys()
  returns TABLE(id uuid, organization_id uuid, organization_name text, name text, prefix text, scopes text[], created_at timestamp with time zone, last_used_at timestamp with time zone, expires_at timestamp with time zone)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine my_api_keys() to reachout_app;

create function my_invitations()
  returns TABLE(id uuid, organization_id uuid, organization_name text, logo_url text, role text, role_name text, invited_by_name text, token_sealed text, expires_at timestamp with time zone)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine my_invitations() to reachout_app;

create function my_organizations()
  returns TABLE(id uuid, name text, logo_url text, deleted boolean, status text, status_reason text, organization_size_id text, organization_sizes jsonb, country_id text, countries jsonb, role text, role_name text, uncertain_policy text, website_events_days integer, currency text, requires_second_factor boolean, lacks_second_factor boolean, created_at timestamp with time zone)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine my_organizations() to reachout_app;

create function my_personal_data()
  returns TABLE(kind text, organization_id uuid, data jsonb)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine my_personal_data() to reachout_app;

create function note_contact_changes()
  returns trigger
  language plpgsql volatile set search_path=pg_catalog, public, pg_temp;

create function note_conversion_change()
  returns trigger
  language plpgsql volatile set search_path=pg_catalog, public, pg_temp;

create function note_folded(of_subject text, since interval DEFAULT '00:00:00'::interval)
  returns void
  language sql volatile;

create function old_visits(max_rows integer)
  returns TABLE(organization_id uuid, touchpoint_id uuid, kept_from timestamp with time zone)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine old_visits(integer) to reachout_app;

create function operated_organizations(search text, wanted_status text, max_rows integer, skipped integer)
  returns TABLE(id uuid, name text, status text, status_reason text, members bigint, created_at timestamp with time zone, count bigint)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine operated_organizations(text,text,integer,integer) to reachout_auth;

create function organization_names(ids uuid[])
  returns TABLE(id uuid, name text)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine organization_names(uuid[]) to reachout_auth;

create function organization_of(kind text, record_id uuid)
  returns uuid
  language plpgsql stable security definer set search_path=pg_catalog, public, pg_temp;

create function organizations_of_user(of_user uuid)
  returns TABLE(id uuid)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine organizations_of_user(uuid) to reachout_auth;

create function organizations_to_erase(max_rows integer)
  returns TABLE(organization_id uuid)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine organizations_to_erase(integer) to reachout_app;

create function organizations_to_fold(of_subject text)
  returns SETOF uuid
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine organizations_to_fold(text) to reachout_app;

create function organizations_to_index(max_rows integer)
  returns TABLE(organization_id uuid)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine organizations_to_index(integer) to reachout_app;

create function organizations_with_erased_visitors(max_rows integer)
  returns TABLE(organization_id uuid)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine organizations_with_erased_visitors(integer) to reachout_app;

create function organizations_with_old_data_requests(max_rows integer)
  returns TABLE(organization_id uuid)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine organizations_with_old_data_requests(integer) to reachout_app;

create function organizations_with_old_links(older_than interval, max_rows integer)
  returns TABLE(organization_id uuid)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine organizations_with_old_links(interval,integer) to reachout_app;

create function organizations_with_unwritten_copies(max_rows integer)
  returns SETOF uuid
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine organizations_with_unwritten_copies(integer) to reachout_app;

create function owner_of_collection(name text)
  returns TABLE(client_id uuid, brand_id uuid)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine owner_of_collection(text) to reachout_app;

create function partitioned_tables()
  returns TABLE(name text, key text, key_type regtype)
  language sql stable;
grant execute on routine partitioned_tables() to reachout_auth;

create function past_causes(of_organization uuid, of_events uuid[], since timestamp with time zone, max_rows integer)
  returns SETOF cause
  language plpgsql stable;
grant execute on routine past_causes(uuid,uuid[],timestamp with time zone,integer) to reachout_app;

create function public_image(key text)
  returns TABLE(organization_id uuid, bytes_id uuid, type text)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine public_image(text) to reachout_app;

create function reaches_day(given text, days integer, is_yearly boolean, day date)
  returns boolean
  language sql immutable;
grant execute on routine reaches_day(text,integer,boolean,date) to reachout_app;

create function reactions_to(causes cause[], of_events uuid[] DEFAULT NULL::uuid[])
  returns SETOF reactions
  language plpgsql stable;
grant execute on routine reactions_to(cause[],uuid[]) to reachout_app;

create function recipients_in_organization(organization uuid, confirmed_by uuid)
  returns bigint
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;

create function recipients_of_last_day()
  returns bigint
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine recipients_of_last_day() to reachout_app;

create function recipients_of_people_of_last_day(confirmed_by uuid)
  returns bigint
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine recipients_of_people_of_last_day(uuid) to reachout_app;

create function record_sign_in(entry_id uuid, session_id uuid, method text, ip_address text, user_agent text)
  returns void
  language sql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine record_sign_in(uuid,uuid,text,text,text) to reachout_app;

create function records_to_erase(max_rows integer)
  returns TABLE(organization_id uuid, kind text, record_id uuid)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine records_to_erase(integer) to reachout_app;

create function remote_collection(name text)
  returns TABLE(client_id uuid, brand_id uuid, key_type text, fields jsonb, relations jsonb)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine remote_collection(text) to reachout_app;

create function removed_goals(max_rows integer)
  returns TABLE(organization_id uuid, goal_id uuid)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp set enable_seqscan=off;
grant execute on routine removed_goals(integer) to reachout_app;

create function resolve_membership(kind text, record_id uuid)
  returns TABLE(organization_id uuid, role text, status text, rules jsonb, client_ids uuid[], lacks_second_factor boolean)
  language plpgsql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine resolve_membership(text,uuid) to reachout_app;

create function review_clicks(max_rows integer, skipped integer)
  returns integer
  language plpgsql volatile security definer set search_path=pg_catalog, public, pg_temp set enable_seqscan=off;
grant execute on routine review_clicks(integer,integer) to reachout_app;

create function screen_class(width integer)
  returns text
  language sql immutable;
grant execute on routine screen_class(integer) to reachout_app;

create function search_candidates(of_collection text, pattern text, max_count integer)
  returns TABLE(item_id text)
  language plpgsql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine search_candidates(text,text,integer) to reachout_app;

create function send_by_number(number bigint)
  returns TABLE(organization_id uuid, send_id uuid, touchpoint_id uuid, brand_id uuid, is_test boolean)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine send_by_number(bigint) to reachout_app;

create function sender_domain(content jsonb)
  returns text
  language sql immutable;
grant execute on routine sender_domain(jsonb) to reachout_app;

create function sender_domain_status(wanted text, of_client uuid, of_brand uuid)
  returns text
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine sender_domain_status(text,uuid,uuid) to reachout_app;

create function sender_domains(of_brand uuid, of_campaign uuid)
  returns TABLE(id uuid, domain text, status text, is_usable boolean, is_linked boolean, passed text[])
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine sender_domains(uuid,uuid) to reachout_app;

create function session_dimensions(referrer_host text, country text, language text, width integer)
  returns TABLE(dimension text, value text)
  language sql immutable;
grant execute on routine session_dimensions(text,text,text,integer) to reachout_app;

create function session_types(page_views integer, tracks integer, events integer)
  returns TABLE(type text)
  language sql immutable;
grant execute on routine session_types(integer,integer,integer) to reachout_app;

create function signed_file(organization uuid, bytes uuid)
  returns TABLE(bucket text, filename_download text, type text, filesize bigint)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine signed_file(uuid,uuid) to reachout_app;

create function socials_of_client(of_client_id uuid)
  returns jsonb
  language sql stable;
grant execute on routine socials_of_client(uuid) to reachout_app;

create function state_without_choice(of_organization_id uuid, of_topic_id uuid)
  returns text
  language sql stable;
grant execute on routine state_without_choice(uuid,uuid) to reachout_app;

create function stuck_sends(max_rows integer)
  returns TABLE(organization_id uuid, send_id uuid)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine stuck_sends(integer) to reachout_app;

create function subscription_state(value text, choice_brand_id uuid, choice_topic_id uuid, until timestamp with time zone, of_brand_id uuid, of_topic_id uuid)
  returns text
  language sql stable;
grant execute on routine subscription_state(text,uuid,uuid,timestamp with time zone,uuid,uuid) to reachout_app;

create function sum_results(of_organization uuid, of_send uuid, from_seq integer, to_seq integer)
  returns TABLE(at timestamp with time zone, state text, class text, count bigint, not_measured bigint)
  language sql stable;
grant execute on routine sum_results(uuid,uuid,integer,integer) to reachout_app;

create function take_contact_changes(max_rows integer)
  returns integer
  language plpgsql volatile security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine take_contact_changes(integer) to reachout_app;

create function take_conversion_changes(max_rows integer, only_organization uuid)
  returns SETOF count_delta
  language sql volatile set search_path=pg_catalog, public, pg_temp;

create function tests_to_erase(max_rows integer)
  returns TABLE(organization_id uuid, send_id uuid)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine tests_to_erase(integer) to reachout_app;

create function to_running_counts(places integer[], counts anyarray, length integer DEFAULT 96)
  returns anyarray
  language plpgsql immutable;
grant execute on routine to_running_counts(integer[],anyarray,integer) to reachout_app;

create function to_total_value(given text)
  returns text
  language sql immutable;
grant execute on routine to_total_value(text) to reachout_app;

create function tracking_hosts(target text, max_rows integer)
  returns TABLE(domain text, destination text)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine tracking_hosts(text,integer) to reachout_app;

create function unbalanced_sends(ended_within interval, max_rows integer)
  returns TABLE(organization_id uuid, send_id uuid, counters jsonb, counted jsonb)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine unbalanced_sends(interval,integer) to reachout_app;

create function utc_day(at timestamp with time zone)
  returns date
  language sql immutable;
grant execute on routine utc_day(timestamp with time zone) to reachout_app;

create function utc_month(day date)
  returns date
  language sql immutable;
grant execute on routine utc_month(date) to reachout_app;

create function utc_quarter(at timestamp with time zone)
  returns integer
  language sql immutable;
grant execute on routine utc_quarter(timestamp with time zone) to reachout_app;

create function visitor_causes(fresh tid[], notifiers uuid[])
  returns SETOF cause
  language sql stable;

create function visitor_dimensions(type text, url text, path text, referrer_host text, country text, language text, width integer, name text)
  returns TABLE(dimension text, value text)
  language sql immutable;
grant execute on routine visitor_dimensions(text,text,text,text,text,text,integer,text) to reachout_app;

create function visitor_value(dimension text, url text, path text, referrer_host text, country text, language text, width integer, name text)
  returns text
  language sql immutable;
grant execute on routine visitor_value(text,text,text,text,text,text,integer,text) to reachout_app;

create function visits_kept_from(days integer)
  returns timestamp with time zone
  language sql stable;
grant execute on routine visits_kept_from(integer) to reachout_app;

create function watched_fields(of_organization uuid, of_collection text)
  returns SETOF text
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine watched_fields(uuid,text) to reachout_app;

create function website_by_id(website_id uuid)
  returns TABLE(organization_id uuid, touchpoint_id uuid, token text, hosts text[], status text, goals json, used_day integer, used_events bigint, used_bytes bigint, event_limit integer, megabyte_limit integer)
  language sql stable security definer set search_path=pg_catalog, public, pg_temp;
grant execute on routine website_by_id(uuid) to reachout_app;

create function worker_is_alive(id integer)
  returns boolean
  language sql stable;
grant execute on routine worker_is_alive(integer) to reachout_app;
