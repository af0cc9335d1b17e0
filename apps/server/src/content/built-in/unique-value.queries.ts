import { firstValueOf, type Transaction } from '../../platform/database/database.ts';

/**
 * @param value  normalized for comparison
 * @returns the key of the item that has this value in a unique field
 */
export const findByUniqueValue = (
  trx: Transaction,
  { organizationId, collection, field }: { organizationId: string; collection: string; field: string },
  value: string,
) => firstValueOf<string>(trx)`
  select item_id from content_unique_values
  where organization_id = ${organizationId} and collection = ${collection} and field = ${field} and value = ${value}
  limit 1
`;
