-- Creates the partitions of a new database before its first row is stored.
select from make_partitions(50000);
