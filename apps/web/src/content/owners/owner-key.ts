import type { Owner } from '@reachout/contract/rules/owners.ts';

/** An owner as the value of a field: `brand:…`, `client:…`, or empty for what all clients share. */
export const ownerKey = ({ client_id, brand_id }: Owner): string =>
  brand_id !== null ? `brand:${brand_id}` : client_id !== null ? `client:${client_id}` : '';

/** As operations take it: a brand stands for its client too. */
export function ownerOf(key: string): Owner {
  const [kind, id = null] = key.split(':');
  return { client_id: kind === 'client' ? id : null, brand_id: kind === 'brand' ? id : null };
}
