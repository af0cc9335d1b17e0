/**
 * Whom a collection of contacts, a template or an audience belongs to: a brand, which names its client too; a client with all its
 * brands; or with neither the organization, which shares it with all of its clients.
 */
export interface Owner {
  client_id: string | null;
  brand_id: string | null;
}

/**
 * Whether what belongs to `owner` can be used by something of `user`. The same rule in the database: `is_usable_for` in
 * db/functions/owners.sql.
 */
export const isUsableFor = (owner: Owner, user: Owner): boolean =>
  owner.client_id === null ||
  (owner.client_id === user.client_id && (owner.brand_id === null || owner.brand_id === user.brand_id));
