import type { FastifyRequest } from 'fastify';
import { isUuid } from '../../platform/ids.ts';
import { isShareToken } from '../shares/share-token.ts';
import { findOpenShare, readSharedItem, type ShareDeps } from '../shares/shares.ts';
import type { ShareRow } from '../shares/shares.queries.ts';
import { readQuery } from './read-query.ts';
import { readToken } from './rest-caller.ts';
import { forbidden, invalidCredentials, RestError } from './rest-error.ts';

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
