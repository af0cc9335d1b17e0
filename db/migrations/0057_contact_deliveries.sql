-- Finds the deliveries of a contact, send by send. An index on `deliveries` cost each message 131 bytes of the write-ahead log;
-- here about a hundred messages share a row, 11 bytes each.
create table contact_deliveries (
  organization_id uuid not null references organizations (id) on delete cascade,
  send_id uuid not null,
  -- The highest hash that belongs to the row: hashes above that of the row before it are here.
  last_hash integer not null,
  -- hashtext(contact_id) without its sign, and beside it the seq of the delivery.
  hashes integer[] not null,
  seqs integer[] not null check (cardinality(seqs) = cardinality(hashes)),
  primary key (organization_id, send_id, last_hash)
);

with delivery as (
  select d.organization_id, d.send_id, d.seq, hashtext(d.contact_id) & 2147483647 as hash,
    2147483647 >> greatest(0, ceil(log(2, count(*) over (partition by d.organization_id, d.send_id) / 128.0)))::int as mask
  from deliveries d
  join touchpoint_sends s on s.organization_id = d.organization_id and s.id = d.send_id
  where s.kind in ('campaign', 'follow_up')
)
insert into contact_deliveries (organization_id, send_id, last_hash, hashes, seqs)
select organization_id, send_id, hash | mask, array_agg(hash), array_agg(seq) from delivery group by 1, 2, 3;

-- Single messages are not written in bulk. Theirs has the address instead of a contact.
alter table messages add column contact_id text;
update messages m set contact_id = d.contact_id
  from deliveries d
  where d.organization_id = m.organization_id and d.send_id = m.send_id and d.seq = m.seq;
alter table messages alter column contact_id set not null;
create index on messages (organization_id, contact_id, send_id, seq);

drop index deliveries_organization_id_contact_id_send_id_seq_idx;
