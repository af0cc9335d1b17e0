import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import type { Contract } from '@reachout/contract/router.ts';
import { routes } from 'virtual:contract-routes';
import { fetchSignedIn } from './fetch.ts';

const link = new OpenAPILink(routes, {
  url: `${location.origin}/api`,
  fetch: (request, init) => fetchSignedIn(request, init),
});

/** For operations whose response is a stream; only imported where one is opened. */
export const streamClient: JsonifiedClient<ContractRouterClient<Contract>> = createORPCClient(link);
