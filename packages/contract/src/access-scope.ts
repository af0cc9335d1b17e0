/**
 * The records that a permission covers: `all` of the organization, only those of some clients and brands, or `nothing`. The
 * server adds it as a condition to every statement of an operation.
 */
export type AccessScope = 'all' | 'nothing' | { client_ids: string[]; brand_ids: string[] };

/** @returns the union of two scopes */
export function uniteAccessScopes(one: AccessScope, other: AccessScope): AccessScope {
  if (one === 'all' || other === 'all') return 'all';
  if (one === 'nothing') return other;
  if (other === 'nothing') return one;
  return {
    client_ids: [...new Set([...one.client_ids, ...other.client_ids])],
    brand_ids: [...new Set([...one.brand_ids, ...other.brand_ids])],
  };
}

/**
 * @returns the intersection of two scopes, for operations that need more than one permission. A scope that names clients and
 * one that names brands have no intersection here: the result is too narrow rather than too wide.
 */
export function intersectAccessScopes(one: AccessScope, other: AccessScope): AccessScope {
  if (one === 'nothing' || other === 'nothing') return 'nothing';
  if (one === 'all') return other;
  if (other === 'all') return one;
  return {
    client_ids: one.client_ids.filter((id) => other.client_ids.includes(id)),
    brand_ids: one.brand_ids.filter((id) => other.brand_ids.includes(id)),
  };
}

/** Whether `inner` covers nothing outside `outer`. */
export function isWithin(inner: AccessScope, outer: AccessScope): boolean {
  if (inner === 'nothing' || outer === 'all') return true;
  if (inner === 'all' || outer === 'nothing') return false;
  return (
    inner.client_ids.every((id) => outer.client_ids.includes(id)) &&
    inner.brand_ids.every((id) => outer.brand_ids.includes(id))
  );
}
