import { writeAuditEntry } from '../access/audit.ts';
import { inTransaction, operations, type OperationContext } from '../access/operations.ts';
import { enterOrganization, type Transaction } from '../../platform/database/database.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { revokeKeys } from './api-key.queries.ts';
import { listMyApiKeys, type MyApiKeyRow } from './my-api-keys.queries.ts';

/** Keys of the acting user in all organizations. Revoking one's own key needs no permission there. */
export const myApiKeyRoutes = {
  apiKeys: inTransaction(operations.me.apiKeys, async (trx) => {
    const keys = await listMyApiKeys(trx);
    const items = keys.map(({ organization_id: id, organization_name: name, ...key }) => ({
      ...key,
      organization: { id, name },
    }));
    return { items, count: items.length };
  }),
  revokeApiKey: inTransaction(operations.me.revokeApiKey, async (trx, { id }, context) => {
    const key = (await listMyApiKeys(trx)).find((own) => own.id === id);
    if (key === undefined) throw notFound();
    await revoke(trx, key, context);
    return { id };
  }),
  revokeApiKeys: inTransaction(operations.me.revokeApiKeys, async (trx, _input, context) => {
    const keys = await listMyApiKeys(trx);
    for (const key of keys) await revoke(trx, key, context);
    return { revoked: keys.length };
  }),
};

async function revoke(
  trx: Transaction,
  { id, name, organization_id: organizationId }: MyApiKeyRow,
  { userId, origin }: OperationContext,
): Promise<void> {
  await enterOrganization(trx, organizationId);
  await revokeKeys(trx, 'id', id);
  await writeAuditEntry(trx, { userId, organizationId, origin }, 'apiKeys.revoke', {
    record_type: 'apiKeys',
    record_id: id,
    record_name: name,
  });
}
