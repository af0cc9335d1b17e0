-- Page views of a website are also counted by host.
alter table visitor_value_months drop constraint visitor_value_months_dimension_check;
alter table visitor_value_months add constraint visitor_value_months_dimension_check
  check (dimension in ('path', 'host', 'referrer', 'country', 'language', 'screen', 'event'));
