import { canGrant, ownContentScope, rulesOfScopes } from '@reachout/contract/abilities.ts';
import { maxRecords } from '@reachout/contract/operation.ts';
import { writeAuditEntry } from '../access/audit.ts';
import { makeApiKey } from './find-api-key-caller.ts';
import { inTransactions, operations, type OperationContext, inTransaction } from '../access/operations.ts';
import { type Transaction, enterOrganization } from '../../platform/database/database.ts';
import { tooManyRecords, orNotFound } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import {
  countContentTokens,
  countWorkingKeys,
  getApiKey,
  insertApiKey,
  listApiKeys,
  revokeKeys,
  listMyApiKeys,
  type MyApiKeyRow,
} from './api-key.queries.ts';
import { lockOrganization } from '../organizations/organization.queries.ts';
import { exceedsOwnPermissions, requireStillMember } from '../roles/role-grant.ts';

/** Maximum of a member in one organization. */
const maxContentTokens = 5;

export function createApiKeyRoutes(secrets: Secrets) {
  const make = async (
    trx: Transaction,
    { organizationId, userId, note }: OperationContext,
    given: { name: string; scopes: string[]; days: number },
  ) => {
    const { scopes, days } = given;
    await requireStillMember(trx, userId);
    const id = newId();
    const { secret, ...stored } = makeApiKey(secrets);
    await insertApiKey(trx, { ...stored, ...given, id, organization_id: organizationId, user_id: userId });
    note({ details: { scopes, days } });
    return { ...(await getApiKey(trx, id)), secret };
  };
  return inTransactions(operations.apiKeys, {
    list: (trx, input) => listApiKeys(trx, input),
    create: async (trx, input, context) => {
      const { organizationId, rules } = context;
      const scopes = [...new Set(input.scopes)];
      if (!canGrant(rules, rulesOfScopes(scopes), organizationId)) throw exceedsOwnPermissions();
      await lockOrganization(trx, organizationId);
      if ((await countWorkingKeys(trx)) >= maxRecords) throw tooManyRecords(maxRecords);
      return await make(trx, context, { name: input.name, scopes, days: input.days });
    },
    createContentToken: async (trx, { name, days }, context) => {
      await lockOrganization(trx, context.organizationId);
      if ((await countContentTokens(trx, context.userId)) >= maxContentTokens)
        throw tooManyRecords(maxContentTokens);
      return await make(trx, context, { name, scopes: [ownContentScope], days });
    },
    revoke: async (trx, input) => {
      await revokeKeys(trx, 'id', input.key_id);
      return await getApiKey(trx, input.key_id);
    },
  });
}

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
    const key = orNotFound((await listMyApiKeys(trx)).find((own) => own.id === id));
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
