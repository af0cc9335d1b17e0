-- Domains of sender addresses (docs/domains.md).
create table sending_domains (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  -- The owner, as that of an audience.
  client_id uuid,
  brand_id uuid,
  -- A-labels in lower case.
  domain text not null check (char_length(domain) between 1 and 120),
  status text not null default 'pending' check (status in ('pending', 'verified', 'failing')),
  -- Web address to which visitors of the bare host of links are redirected.
  destination text,
  next_check_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  check (brand_id is null or client_id is not null),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade,
  foreign key (organization_id, client_id, brand_id) references brands (organization_id, client_id, id) on delete cascade
);
create index on sending_domains (id);
create index on sending_domains (next_check_at);
create index on sending_domains (organization_id, client_id, brand_id) where client_id is not null;
create unique index sending_domains_domain_exists on sending_domains (organization_id, domain);
-- One organization at a time has verified a domain.
create unique index sending_domains_verified_once on sending_domains (domain) where status <> 'pending';

-- The latest result of each check.
create table sending_domain_checks (
  organization_id uuid not null references organizations (id) on delete cascade,
  domain_id uuid not null,
  kind text not null check (kind in ('dkim', 'spf', 'return_path', 'dmarc', 'tracking')),
  -- The latest verdict about the records; temporary errors leave it as it is.
  state text check (state in ('pass', 'warn', 'fail')),
  verdict text check (verdict in ('pass', 'warn', 'fail', 'temporary_error')),
  found jsonb not null default '[]',
  wanted jsonb not null default '[]',
  advice jsonb not null default '[]',
  -- Identifies the check that may store its result.
  started_at timestamptz,
  checked_at timestamptz,
  passed_at timestamptz,
  -- The first of the latest failures in a row, and their number; temporary errors do not count.
  failing_since timestamptz,
  fails_count integer not null default 0,
  -- When a check last had a certain answer of the DNS. A pass alone does not say it: one with warnings is usable, too.
  answered_at timestamptz,
  primary key (organization_id, domain_id, kind),
  foreign key (organization_id, domain_id) references sending_domains (organization_id, id) on delete cascade
);

create table dkim_keys (
  organization_id uuid not null references organizations (id) on delete cascade,
  selector text not null check (selector in ('r1', 'r2')),
  -- SubjectPublicKeyInfo in base64.
  public_key text not null,
  -- PKCS #8 as PEM, encrypted.
  private_key text not null,
  is_signing boolean not null,
  -- When messages were last signed with it; null for the signing key, and for a new one.
  signed_until timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization_id, selector)
);
create unique index dkim_keys_one_signing on dkim_keys (organization_id) where is_signing;

create table campaign_domains (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  campaign_id uuid not null,
  domain_id uuid not null,
  primary key (organization_id, id),
  unique (organization_id, campaign_id, domain_id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade,
  foreign key (organization_id, domain_id) references sending_domains (organization_id, id) on delete cascade
);
create index on campaign_domains (organization_id, domain_id);
