/**
 * The owner of a contact collection, template or audience: a brand, which implies its client; a client with all its brands;
 * or, without both, the organization, which shares it with all its clients.
 */
export interface Owner {
  client_id: string | null;
  brand_id: string | null;
}

/**
 * Whether a record of `owner` can be used by a record of `user`. The database has the same rule: `is_usable_for` in
 * db/functions/owners.sql.
 */
export const isUsableFor = (owner: Owner, user: Owner): boolean =>
  owner.client_id === null ||
  (owner.client_id === user.client_id && (owner.brand_id === null || owner.brand_id === user.brand_id));
