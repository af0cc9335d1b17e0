import { execute, hasRows, rowsOf, type Transaction } from '../../platform/database/database.ts';

export const hasErasedAddresses = (trx: Transaction, organizationId: string) => hasRows(trx)`
  select from erased_addresses where organization_id = ${organizationId} limit 1
`;

/** An address and one of the hashes under which it may be stored. */
export interface HashedAddress {
  address_key: string;
  hash: string;
}

/**
 * @returns those of the addresses whose data was erased, and that no member has resubscribed since, each with whether the
 *   transaction may suppress it for all brands
 */
export const listErased = (
  trx: Transaction,
  organizationId: string,
  addresses: readonly HashedAddress[],
) => rowsOf<{ address_key: string; is_full_scope: boolean }>(trx)`
  select distinct given.address_key, (select has_full_access_scope()) as is_full_scope
  from json_to_recordset(${JSON.stringify(addresses)}::json) as given(address_key text, hash text)
  join erased_addresses e on e.organization_id = ${organizationId} and e.address_hash = given.hash
  where not exists (select from resubscriptions r
    where r.organization_id = ${organizationId} and r.address_key = given.address_key and r.brand_id is null
      and r.created_at > e.erased_at)
  order by 1
`;

export const insertErased = (trx: Transaction, organizationId: string, hash: string) => execute(trx)`
  insert into erased_addresses (organization_id, address_hash) values (${organizationId}::uuid, ${hash})
  on conflict (organization_id, address_hash) do update set erased_at = excluded.erased_at
`;

export async function deleteErased(
  trx: Transaction,
  organizationId: string,
  hashes: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('erased_addresses')
    .where('organization_id', '=', organizationId)
    .where('address_hash', 'in', [...hashes])
    .execute();
}
