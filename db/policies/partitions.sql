-- A new database has its months before the first row.
select from create_partitions();
