-- Checked for each of a million results. What erases an organization deletes its deliveries and their results by itself.
alter table delivery_results drop constraint delivery_results_organization_id_fkey;
