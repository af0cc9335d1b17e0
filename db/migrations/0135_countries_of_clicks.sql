-- Of a click, from the network address, which is not stored: ISO 3166-1 alpha-2.
alter table events add column country text;
alter table unfolded_message_events add column country text;
