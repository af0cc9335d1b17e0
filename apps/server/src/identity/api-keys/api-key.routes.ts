import { canGrant, rulesOfScopes } from '@reachout/contract/abilities.ts';
import { maxRecords } from '@reachout/contract/operation.ts';
import { makeApiKey } from './find-api-key-caller.ts';
import { inTransaction, operations } from '../access/operations.ts';
import { tooManyRecords } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { countWorkingKeys, getApiKey, insertApiKey, listApiKeys, revokeKeys } from './api-key.queries.ts';
import { lockOrganization } from '../organizations/organization.queries.ts';
import { exceedsOwnPermissions, requireStillMember } from '../roles/role-grant.ts';

export function createApiKeyRoutes(secrets: Secrets) {
  return {
    list: inTransaction(operations.apiKeys.list, (trx, input) => listApiKeys(trx, input)),
    create: inTransaction(operations.apiKeys.create, async (trx, input, context) => {
      const { organizationId, rules, userId } = context;
      const scopes = [...new Set(input.scopes)];
      if (!canGrant(rules, rulesOfScopes(scopes), organizationId)) throw exceedsOwnPermissions();
      await lockOrganization(trx, organizationId);
      if ((await countWorkingKeys(trx)) >= maxRecords) throw tooManyRecords(maxRecords);
      await requireStillMember(trx, userId);
      const id = newId();
      const { secret, ...stored } = makeApiKey(secrets);
      await insertApiKey(trx, {
        ...stored,
        id,
        organization_id: organizationId,
        name: input.name,
        scopes,
        user_id: userId,
        days: input.days,
      });
      context.note({ details: { scopes, days: input.days } });
      return { ...(await getApiKey(trx, id)), secret };
    }),
    revoke: inTransaction(operations.apiKeys.revoke, async (trx, input) => {
      await revokeKeys(trx, 'id', input.key_id);
      return await getApiKey(trx, input.key_id);
    }),
  };
}
