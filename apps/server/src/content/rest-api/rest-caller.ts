import type { FastifyRequest } from 'fastify';
import { ownContentScope } from '@reachout/contract/abilities.ts';
import type { Permission } from '@reachout/contract/operation.ts';
import { authorizeRequest, type AuthorizedRequest, type Access } from '../../identity/access/membership.ts';
import type { Caller } from '../../identity/access/caller.ts';
import { forbidden, invalidCredentials, invalidPayload, RestError, routeNotFound } from './rest-error.ts';
import { isUuid } from '../../platform/ids.ts';
import { isShareToken } from '../shares/share-token.ts';
import { findOpenShare, readSharedItem, type ShareDeps } from '../shares/shares.ts';
import type { ShareRow } from '../shares/shares.queries.ts';
import { readQuery, pathOf, urlQueryOf } from './read-query.ts';

/** Authenticates requests by an API key of the organization, which serves as a Directus token. */
export interface RestCallers {
  access: Access;
  /** Finds the caller by the headers. */
  findCaller: FindCaller;
}

export type FindCaller = (
  request: Pick<FastifyRequest, 'headers' | 'raw' | 'ip'>,
) => Promise<Caller | undefined>;

/**
 * The token of a request, from `Authorization: Bearer …` or `?access_token=…`.
 * @returns undefined if there is none
 * @throws RestError 400 for two tokens, 401 for a malformed one
 */
export function readToken(
  request: FastifyRequest,
  query: Readonly<Record<string, unknown>>,
): string | undefined {
  const { authorization = '' } = request.headers;
  const token = query['access_token'] ?? '';
  if (typeof token !== 'string') throw invalidCredentials();
  if (token !== '' && authorization !== '') throw invalidPayload('The request has two tokens. Send one.');
  if (authorization === '') return token === '' ? undefined : token;
  const [scheme, given = ''] = authorization.trim().split(/ +/, 2);
  if (scheme?.toLowerCase() !== 'bearer') throw invalidCredentials();
  return given === '' ? undefined : given;
}

/**
 * Finds the caller by API key. Browser sessions are ignored, because pages of other origins could use them.
 * @returns undefined if the request has no token
 * @throws RestError 400 for two tokens, 401 for one that is unknown or of another organization
 */
export async function findRestCaller(
  { findCaller }: Pick<RestCallers, 'findCaller'>,
  request: FastifyRequest,
  query: Readonly<Record<string, unknown>>,
): Promise<Caller | undefined> {
  const token = readToken(request, query);
  if (token === undefined) return undefined;
  const { raw, ip } = request;
  const caller = await findCaller({ headers: { authorization: `Bearer ${token}` }, raw, ip });
  if (caller?.apiKey === undefined) throw invalidCredentials();
  const { organizationId } = caller.apiKey;
  // If the path names no organization, the token determines it.
  const { organization_id = organizationId } = request.params as { organization_id?: string };
  if (organizationId !== organization_id.toLowerCase()) throw invalidCredentials();
  return caller;
}

/** Whether the token is one that members make to read the items they created. */
export const isContentToken = ({ apiKey }: Caller): boolean =>
  apiKey?.scopes.includes(ownContentScope) === true;

/**
 * @param opensToMembers  whether content tokens of members are accepted; the transaction then has to be one of the result
 * @throws RestError 403 without a token; the errors of `authorizeRequest`
 */
export async function authorizeRest(
  { access }: RestCallers,
  caller: Caller | undefined,
  permissions: readonly [Permission, ...Permission[]],
  { opensToMembers = false }: { opensToMembers?: boolean } = {},
): Promise<AuthorizedRequest> {
  if (caller?.apiKey === undefined) throw forbidden();
  const { apiKey } = caller;
  const ownItemsOnly = isContentToken(caller);
  if (ownItemsOnly && !opensToMembers) throw forbidden();
  // The scope has no rules of its own: it reads as content:read does, within own_items (db/policies).
  const authorized = await authorizeRequest(access, {
    // The scope has no rules of its own: it reads as content:read does, within own_items (db/policies).
    caller: ownItemsOnly ? { ...caller, apiKey: { ...apiKey, scopes: ['content:read'] } } : caller,
    record: ['organizations', apiKey.organizationId],
    requiredPermissions: permissions,
    isUnsafe: permissions[0][0] !== 'read',
  });
  return { ...authorized, ownItemsOnly };
}

type Query = Readonly<Record<string, unknown>>;

/**
 * Finds the share whose token the request has.
 * @returns undefined for requests with another kind of token, or none
 * @throws RestError 401 for a share token that is unknown or has expired
 */
export async function findShareOf(
  deps: ShareDeps,
  request: FastifyRequest,
  query: Query,
): Promise<ShareRow | undefined> {
  const token = readToken(request, query);
  if (!isShareToken(token)) return undefined;
  const organizationId = organizationOf(request);
  const found = await findOpenShare(deps, organizationId, { token, now: new Date() });
  if (found === 'expired') throw new RestError(401, 'TOKEN_EXPIRED', 'Token expired.');
  if (found === 'unknown') throw invalidCredentials();
  return found;
}

/** The organization id in the path. @throws RestError 401 if it is not a UUID */
export function organizationOf(request: FastifyRequest): string {
  const { organization_id } = request.params as { organization_id: string };
  if (!isUuid(organization_id)) throw invalidCredentials();
  return organization_id.toLowerCase();
}

/** Reads the item of the share. @throws RestError 403 for any other item, and if the share shows nothing */
export async function readAsShare(
  deps: ShareDeps,
  request: FastifyRequest,
  { share, query }: { share: ShareRow; query: Query },
): Promise<{ data: unknown }> {
  const { collection, key } = request.params as { collection?: string; key?: string };
  if (collection !== share.collection || key !== share.item_id) throw forbidden();
  const item = await readSharedItem(deps, organizationOf(request), share);
  if (item === undefined) throw forbidden();
  const { fields } = readQuery(query);
  if (fields?.some((field) => !Object.hasOwn(item, field)) === true) throw forbidden();
  return {
    data: fields === undefined ? item : Object.fromEntries(fields.map((field) => [field, item[field]])),
  };
}

/** Route of everything that no other route has. */
export const otherPaths = '/*';

/**
 * Checks who sends a body before it is read.
 * @throws RestError for a body that no route takes, or without a valid token
 */
export async function requireToken(
  deps: ShareDeps & { findCallerEarly: FindCaller },
  request: FastifyRequest,
): Promise<void> {
  const { url = '', config } = request.routeOptions;
  if (url.endsWith(otherPaths)) throw routeNotFound(pathOf(request));
  if (config.isPublic === true) return;
  const query = urlQueryOf(request);
  if ((await findShareOf(deps, request, query)) !== undefined) return;
  const callers = { findCaller: deps.findCallerEarly };
  if ((await findRestCaller(callers, request, query)) === undefined) throw forbidden();
}
