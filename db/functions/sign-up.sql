-- Whether an account can be created for an address if sign-up is by invitation only. This takes a pending invitation to the
-- address, or the keyed hash of a valid invitation link's token.
create function is_invited(address text, link_hashes text[])
  returns boolean
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select exists (
    select from public.organization_invitations i
    join public.organizations o on o.id = i.organization_id and not o.deleted and o.status <> 'inactive'
    where i.email = address and i.status = 'pending' and i.expires_at > now()
  ) or exists (
    select from public.organization_invitation_links l
    join public.organizations o on o.id = l.organization_id and not o.deleted and o.status <> 'inactive'
    where l.token_hash = any(link_hashes) and l.expires_at > now()
      and l.uses + cardinality(l.signed_up_user_ids) < l.max_uses
  )
$$;
grant execute on function is_invited(text, text[]) to reachout_auth;

-- Reserves one use of an invitation link for a user who signs up with it, until that user joins. Returns false if the link
-- has expired or has no uses left.
-- owner: identity/invitations
create function hold_link_place(link_hashes text[], new_user uuid)
  returns boolean
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
begin
  update public.organization_invitation_links l
  set signed_up_user_ids = array_append(l.signed_up_user_ids, new_user)
  from public.organizations o
  where o.id = l.organization_id and not o.deleted and o.status <> 'inactive'
    and l.token_hash = any(link_hashes) and l.expires_at > now()
    and l.uses + cardinality(l.signed_up_user_ids) < l.max_uses;
  return found;
end
$$;
grant execute on function hold_link_place(text[], uuid) to reachout_auth;
