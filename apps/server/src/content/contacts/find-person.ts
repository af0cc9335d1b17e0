import { listMappedFields } from '../audiences/address-fields.queries.ts';
import {
  listEmailFields,
  listItemsWithAddress,
  type AddressField,
  type AddressItem,
} from '../built-in/address-items.queries.ts';
import type { Transaction } from '../../platform/database/database.ts';

export { listNotes } from './note.queries.ts';
export { deleteReadContacts, listMappedFields } from '../audiences/address-fields.queries.ts';
export type { AddressItem } from '../built-in/address-items.queries.ts';

/** Lists the fields that hold addresses: those named so or of that kind, and those to which filters send. */
export async function listAddressFields(trx: Transaction, organizationId: string): Promise<AddressField[]> {
  const fields = [
    ...(await listEmailFields(trx, organizationId)),
    ...(await listMappedFields(trx, organizationId)),
  ];
  return [...new Map(fields.map((field) => [JSON.stringify(field), field])).values()];
}

/** Finds a person's contacts in all collections of the built-in backend. */
export const findPersonItems = async (
  trx: Transaction,
  organizationId: string,
  addressKey: string,
): Promise<AddressItem[]> =>
  listItemsWithAddress(trx, organizationId, await listAddressFields(trx, organizationId), addressKey);
