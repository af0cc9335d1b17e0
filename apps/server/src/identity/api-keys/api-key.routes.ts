import { canGrant, ownContentScope, rulesOfScopes } from '@reachout/contract/abilities.ts';
import { maxRecords } from '@reachout/contract/operation.ts';
import { makeApiKey } from './find-api-key-caller.ts';
import { inTransaction, operations, type OperationContext } from '../access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { tooManyRecords } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import {
  countContentTokens,
  countWorkingKeys,
  getApiKey,
  insertApiKey,
  listApiKeys,
  revokeKeys,
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
  return {
    list: inTransaction(operations.apiKeys.list, (trx, input) => listApiKeys(trx, input)),
    create: inTransaction(operations.apiKeys.create, async (trx, input, context) => {
      const { organizationId, rules } = context;
      const scopes = [...new Set(input.scopes)];
      if (!canGrant(rules, rulesOfScopes(scopes), organizationId)) throw exceedsOwnPermissions();
      await lockOrganization(trx, organizationId);
      if ((await countWorkingKeys(trx)) >= maxRecords) throw tooManyRecords(maxRecords);
      return await make(trx, context, { name: input.name, scopes, days: input.days });
    }),
    createContentToken: inTransaction(
      operations.apiKeys.createContentToken,
      async (trx, { name, days }, context) => {
        await lockOrganization(trx, context.organizationId);
        if ((await countContentTokens(trx, context.userId)) >= maxContentTokens)
          throw tooManyRecords(maxContentTokens);
        return await make(trx, context, { name, scopes: [ownContentScope], days });
      },
    ),
    revoke: inTransaction(operations.apiKeys.revoke, async (trx, input) => {
      await revokeKeys(trx, 'id', input.key_id);
      return await getApiKey(trx, input.key_id);
    }),
  };
}
