-- THE rule of who gets no mail of a brand, and why: what one suppression says about it. Null where it does not hold for
-- this brand; without a brand, only what holds for all of them counts. Audiences, sends and the contact's page ask here.
create function subscription_state(reason text, suppressed_brand_id uuid, of_brand_id uuid) returns text
  language sql immutable
as $$
  select case when suppressed_brand_id is null or suppressed_brand_id = of_brand_id then
    case reason
      when 'unsubscribe' then 'unsubscribed'
      when 'complaint' then 'complained'
      when 'bounce' then 'bounced'
      else 'blocked'
    end
  end
$$;
grant execute on function subscription_state(text, uuid, uuid) to reachout_app;
