-- A cache for all organizations, which no operation returns. Sends read domains and add new ones, a job looks them up.
alter table recipient_domains enable row level security, force row level security;
create policy cache on recipient_domains for all to reachout_app using (true) with check (true);
grant select, insert, update, delete on recipient_domains to reachout_app;

-- State of the operator's sending limits that all workers share.
alter table send_rates enable row level security, force row level security;
create policy workers on send_rates for all to reachout_app using (true) with check (true);
grant select, insert, update, delete on send_rates to reachout_app;

alter table warm_up_plans enable row level security, force row level security;
create policy workers on warm_up_plans for all to reachout_app using (true) with check (true);
grant select, insert, update, delete on warm_up_plans to reachout_app;

-- The listener stores what comes back, workers read and delete it. No operation returns it.
alter table returned_mail enable row level security, force row level security;
create policy workers on returned_mail for all to reachout_app using (true) with check (true);
grant select, insert, update, delete on returned_mail to reachout_app;
