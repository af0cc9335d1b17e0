import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { fetchOrProblem } from '#web/platform/fetch.ts';
import { isRecord } from '#web/platform/problem.ts';

const demoOffers = ['open', 'needs_link'] as const;
const signUps = ['open', 'invited', 'closed'] as const;

interface AuthOptions {
  providers: readonly { id: string; name: string }[];
  /** Who may have a new account. */
  sign_up: (typeof signUps)[number];
  /** The platform's own mail can be read at `/mailbox` of this machine. */
  local_mailbox: boolean;
  /** Whether this browser may open the demo, or first needs its link; null without one. */
  demo: 'open' | 'needs_link' | null;
}

/** Which ways of signing in this installation offers. */
export const authOptionsQuery = queryOptions({
  queryKey: ['auth', 'options'],
  queryFn: readOptions,
  staleTime: Number.POSITIVE_INFINITY,
});

/** For guards: what the installation offers is known before a page shows it, so that nothing moves afterwards. */
export const resolveAuthOptions = (queryClient: QueryClient): Promise<unknown> =>
  queryClient.ensureQueryData(authOptionsQuery).catch(() => undefined);

async function readOptions(): Promise<AuthOptions> {
  const response = await fetchOrProblem('/api/auth/options');
  const body: unknown = await response.json();
  const providers = isRecord(body) && Array.isArray(body['providers']) ? body['providers'] : [];
  return {
    providers: providers.flatMap((provider: unknown) =>
      isRecord(provider) && typeof provider['id'] === 'string' && typeof provider['name'] === 'string'
        ? [{ id: provider['id'], name: provider['name'] }]
        : [],
    ),
    sign_up: signUps.find((known) => isRecord(body) && body['sign_up'] === known) ?? 'open',
    local_mailbox: isRecord(body) && body['local_mailbox'] === true,
    demo: demoOffers.find((known) => isRecord(body) && body['demo'] === known) ?? null,
  };
}
