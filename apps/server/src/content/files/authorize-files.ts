import type { FastifyRequest } from 'fastify';
import type { Action } from '@reachout/contract/abilities.ts';
import { authorizeRequest, type AuthorizedRequest, type Access } from '../../identity/access/membership.ts';
import { originOf, type Caller, type RequestOrigin } from '../../identity/access/caller.ts';
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
  ...[action, ...others]: [Action, ...Action[]]
): Promise<AuthorizedRequest & { origin: RequestOrigin }> {
  const who = await authorizeRequest(access, {
    caller: await findCaller(request),
    record: ['organizations', organizationId],
    requiredPermissions: [[action, 'Content'], ...others.map((other) => [other, 'Content'] as const)],
    isUnsafe: action !== 'read',
  });
  if (who.accessScope !== undefined) throw forbidden(action, 'Content');
  return { ...who, origin: originOf(request) };
}
