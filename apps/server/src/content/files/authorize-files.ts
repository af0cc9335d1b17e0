import type { FastifyRequest } from 'fastify';
import type { Permission } from '@reachout/contract/operation.ts';
import { authorizeRequest, type AuthorizedRequest } from '../../identity/access/authorize-request.ts';
import { originOf, type Caller, type RequestOrigin } from '../../identity/access/caller.ts';
import type { Access } from '../../identity/access/membership.ts';
import { forbidden } from '../../platform/http/api-error.ts';

export interface FileAccess {
  access: Access;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
}

/**
 * Files belong to the whole organization: members with a limited access scope have no access.
 * @throws 403; the errors of `authorizeRequest`
 */
export async function authorizeFiles(
  { access, findCaller }: FileAccess,
  request: FastifyRequest,
  organizationId: string,
  permissions: readonly [Permission, ...Permission[]],
): Promise<AuthorizedRequest & { origin: RequestOrigin }> {
  const who = await authorizeRequest(access, {
    caller: await findCaller(request),
    record: ['organizations', organizationId],
    requiredPermissions: permissions,
    isUnsafe: permissions[0][0] !== 'read',
  });
  if (who.accessScope !== undefined) throw forbidden(...permissions[0]);
  return { ...who, origin: originOf(request) };
}
