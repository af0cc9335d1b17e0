-- When a check last had a certain answer of the DNS. A pass alone does not say it: one with warnings is usable, too.
alter table sending_domain_checks add column answered_at timestamptz;
