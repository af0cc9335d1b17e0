-- Who got an account through an invitation link and has not joined yet: each holds one of the places of the link.
alter table organization_invitation_links
  add column signed_up_user_ids uuid[] not null default '{}',
  add constraint organization_invitation_links_places_check check (uses + cardinality(signed_up_user_ids) <= max_uses);
