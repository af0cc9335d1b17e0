import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import type { Contract } from '@reachout/contract/router.ts';
import { routes } from 'virtual:contract-routes';
import { fetchSignedIn } from './fetch.ts';

interface RequestContext {
  /** Makes a repeat of the same unsafe operation harmless: the server gives the first response again. */
  idempotencyKey?: string;
}

const link = new OpenAPILink<RequestContext>(routes, {
  url: `${location.origin}/api`,
  headers: ({ context }) =>
    context.idempotencyKey === undefined ? {} : { 'idempotency-key': context.idempotencyKey },
  fetch: (request, init) => fetchSignedIn(request, init),
});

/** Every operation of the contract, as plain functions. */
export const client: JsonifiedClient<ContractRouterClient<Contract, RequestContext>> = createORPCClient(link);

/** Operations of the signed-in person that belong to no organization. */
export const api = createTanstackQueryUtils(client, { path: ['me'] });

/**
 * The operations of one organization as query and mutation options. Their keys start with the organization's id, so
 * that one organization never sees another's rows, and one statement forgets or refreshes a whole organization.
 */
export function apiOf(organizationId: string): Api {
  const known = perOrganization.get(organizationId);
  if (known) return known;
  const created = createTanstackQueryUtils(client, { path: [organizationId] });
  perOrganization.set(organizationId, created);
  return created;
}

export type Api = typeof api;

const perOrganization = new Map<string, Api>();
