-- Tests are kept for 30 days, and found by their age among all sends.
create index touchpoint_sends_tests on touchpoint_sends (created_at) where kind = 'test';
