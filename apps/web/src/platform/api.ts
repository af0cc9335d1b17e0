import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import type { Contract } from '@reachout/contract/router.ts';
import { routes } from 'virtual:contract-routes';
import { createApiLink, type RequestContext } from './api-link.ts';

/** All operations of the contract with JSON responses, as plain functions. */
export const client: JsonifiedClient<ContractRouterClient<Contract, RequestContext>> = createORPCClient(
  createApiLink(routes),
);

/** Operations of the signed-in user that belong to no organization. */
export const api = createTanstackQueryUtils(client, { path: ['me'] });

/**
 * The operations of one organization as query and mutation options. Their keys start with the organization's id, so that
 * organizations never share cached rows, and all queries of one can be removed or refreshed at once.
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
