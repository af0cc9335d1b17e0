-- The ends of a period that lie within a quarter of an hour are counted from single results. They are stored in the order of
-- their time: a summary of each 32 pages finds those of some minutes. Measured, a store costs 3.1 us of CPU per row instead of 3.05;
-- a btree would make it 3.9.
create index on delivery_results using brin (accepted_at, at) with (pages_per_range = 32);
