-- What the texts of an organization take beside its content items, which count in content_collections. Kept by triggers
-- (db/functions/owners.sql).
create table stored_bytes (
  organization_id uuid primary key references organizations (id) on delete cascade,
  bytes bigint not null
);
insert into stored_bytes (organization_id, bytes)
select organization_id, sum(bytes) from (
  select organization_id, octet_length(mjml) as bytes from touchpoint_emails
  union all select organization_id, octet_length(content::text) + coalesce(octet_length(audience::text), 0)
    from touchpoint_send_contents
  union all select organization_id, octet_length(rule::text) from filters
  union all select organization_id, octet_length(text) from contact_notes
  union all select organization_id, octet_length(fields::text) + octet_length(consent_text) from sign_up_form_versions
) texts
group by organization_id;

-- The organization whose bytes a stored response counts towards; null for operations without one.
alter table idempotency_keys add column counted_for uuid;
