import { execute, rowsOf, type Transaction } from '../../platform/database/database.ts';

/** Lists the fields to which filters send, by collection. */
export const listMappedFields = (trx: Transaction, organizationId: string) => rowsOf<{
  collection: string;
  field: string;
}>(trx)`
  select distinct collection, field_mapping ->> 'email' as field from filters
  where organization_id = ${organizationId} and field_mapping ->> 'email' is not null
`;

/** Deletes read contacts that have an address in any of their values. */
export const deleteReadContacts = (trx: Transaction, organizationId: string, addressKey: string) => execute(
  trx,
)`
  delete from audience_reading_contacts c
  where c.organization_id = ${organizationId}
    and exists (select from jsonb_each_text(c.data) v where lower(btrim(v.value)) = ${addressKey})
`;
