import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import type { Contract } from '@reachout/contract/router.ts';
import { routes } from 'virtual:contract-routes';
import { createApiLink, type RequestContext } from './api-link.ts';

/** Every operation of the contract that responds with JSON, as plain functions. */
export const client: JsonifiedClient<ContractRouterClient<Contract, RequestContext>> = createORPCClient(
  createApiLink(routes),
);

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
