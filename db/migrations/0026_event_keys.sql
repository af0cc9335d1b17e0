-- Each open and click writes a row of each of these tables: no foreign key is checked for it. Statements that store events
-- look for the organization once, and erasing it deletes its rows (operations/retention).
alter table events drop constraint events_organization_id_fkey;
alter table delivery_event_counts drop constraint delivery_event_counts_organization_id_fkey;
alter table delivery_event_totals drop constraint delivery_event_totals_organization_id_fkey;

-- One index for the key and for everything that is looked up, by touchpoint, type and time.
alter table events drop constraint events_pkey;
drop index events_organization_id_touchpoint_id_type_at_idx;
alter table events add primary key (organization_id, touchpoint_id, type, at, id);
