import type { Owner } from '@reachout/contract/rules/owners.ts';

/** An owner as a field value: `brand:…`, `client:…`, or empty if all clients share the record. */
export const ownerKey = ({ client_id, brand_id }: Owner): string =>
  brand_id !== null ? `brand:${brand_id}` : client_id !== null ? `client:${client_id}` : '';

/** Converts to the format of operations, where a brand implies its client. */
export function ownerOf(key: string): Owner {
  const [kind, id = null] = key.split(':');
  return { client_id: kind === 'client' ? id : null, brand_id: kind === 'brand' ? id : null };
}
