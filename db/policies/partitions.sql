-- A new database has its months before the first row.
select from make_partitions(50000);
