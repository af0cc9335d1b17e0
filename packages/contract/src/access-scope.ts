/**
 * How far a permission goes: `all` of the organization, only what belongs to some clients and brands, or `nothing`.
 * The server turns it into conditions of every statement of an operation.
 */
export type AccessScope = 'all' | 'nothing' | { client_ids: string[]; brand_ids: string[] };

/** What lies within one of them. */
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
 * What lies within both: for operations that need more than one permission. Of access scopes that name clients here and
 * brands there it knows no common part, and gives too little rather than too much.
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

/** Whether one goes nowhere beyond the other. */
export function isWithin(inner: AccessScope, outer: AccessScope): boolean {
  if (inner === 'nothing' || outer === 'all') return true;
  if (inner === 'all' || outer === 'nothing') return false;
  return (
    inner.client_ids.every((id) => outer.client_ids.includes(id)) &&
    inner.brand_ids.every((id) => outer.brand_ids.includes(id))
  );
}
