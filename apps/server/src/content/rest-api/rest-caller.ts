import type { FastifyRequest } from 'fastify';
import type { Permission } from '@reachout/contract/operation.ts';
import { authorizeRequest, type AuthorizedRequest } from '../../identity/access/authorize-request.ts';
import type { Caller } from '../../identity/access/caller.ts';
import type { Access } from '../../identity/access/membership.ts';
import { forbidden, invalidCredentials, invalidPayload } from './rest-error.ts';

/** An API key of the organization, as the token of its content backend. */
export interface RestCallers {
  access: Access;
  /** The caller that headers name. */
  findCaller: (request: Pick<FastifyRequest, 'headers'>) => Promise<Caller | undefined>;
}

/**
 * Who asks, by `Authorization: Bearer …` or `?access_token=…`. A session of a browser does not count: pages elsewhere
 * could use it.
 * @returns undefined when no token came along
 * @throws RestError 400 for two tokens, 401 for one that is unknown or of another organization
 */
export async function findRestCaller(
  { findCaller }: RestCallers,
  request: FastifyRequest,
  query: Readonly<Record<string, unknown>>,
): Promise<Caller | undefined> {
  const { authorization = '' } = request.headers;
  const token = query['access_token'];
  if (token !== undefined && typeof token !== 'string') throw invalidCredentials();
  if (token !== undefined && token !== '' && authorization !== '') {
    throw invalidPayload('The request has two tokens. Send one.');
  }
  const given =
    authorization === '' && token !== undefined && token !== '' ? `Bearer ${token}` : authorization;
  if (given === '' || /^bearer *$/i.test(given)) return undefined;
  const caller = await findCaller({ headers: { authorization: given } });
  const { organization_id } = request.params as { organization_id: string };
  if (caller?.apiKey?.organizationId !== organization_id.toLowerCase()) throw invalidCredentials();
  return caller;
}

/** @throws RestError 403 without a token; the errors of `authorizeRequest` */
export async function authorizeRest(
  { access }: RestCallers,
  caller: Caller | undefined,
  permission: Permission,
): Promise<AuthorizedRequest> {
  if (caller?.apiKey === undefined) throw forbidden();
  return await authorizeRequest(access, {
    caller,
    record: ['organizations', caller.apiKey.organizationId],
    requiredPermissions: [permission],
    isUnsafe: permission[0] !== 'read',
  });
}
