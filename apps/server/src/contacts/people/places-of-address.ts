import { keptKeyOf } from '../consent/subscription.ts';

/** Whether a value is this address, in any spelling. */
export const isAddress = (value: unknown, addressKey: string): boolean => keptKeyOf(value) === addressKey;

/**
 * Decides whose item it is that has an address: that of its field `email`; without a value there, of a field to which filters
 * send. An address in any other field (a friend, a manager) does not make the item theirs.
 * @param fields.all  all fields that can hold addresses
 * @returns `names`: the fields with this address
 */
export function placesOf(
  addressKey: string,
  data: Record<string, unknown>,
  fields: { mapped: readonly string[]; all: readonly string[] },
): { isOwn: boolean; names: string[] } {
  const names = [...new Set(fields.all)].filter((name) => isAddress(data[name], addressKey));
  const hasOther = keptKeyOf(data['email']) !== undefined;
  const isOwn = names.includes('email') || (!hasOther && names.some((name) => fields.mapped.includes(name)));
  return { isOwn, names };
}
