-- When a limit of complaints about a brand's emails from a domain was acted on, so that it is not again for seven days.
create table complaint_limits (
  organization_id uuid not null references organizations on delete cascade,
  brand_id uuid not null,
  -- Of the sender, in lower case.
  domain text not null,
  action text not null check (action in ('warn', 'pause')),
  acted_at timestamptz not null default now(),
  primary key (organization_id, brand_id, domain, action),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);

-- The mailbox that anybody may write to has a share of what may wait.
create index on returned_mail (mailbox) where mailbox = 'complaints';
