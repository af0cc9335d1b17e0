import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { fetchOrProblem } from '#web/platform/fetch.ts';
import { isRecord } from '#web/platform/problem.ts';

const demoOffers = ['open', 'needs_link'] as const;
const signUps = ['open', 'invited', 'closed'] as const;

interface AuthOptions {
  providers: readonly { id: string; name: string }[];
  /** Who can create an account. */
  sign_up: (typeof signUps)[number];
  /** Whether the platform's own emails can be read at `/mailbox` on this machine. */
  local_mailbox: boolean;
  /** Whether this browser can open the demo or needs its link first; null if there is no demo. */
  demo: 'open' | 'needs_link' | null;
}

/** The sign-in methods of this installation. */
export const authOptionsQuery = queryOptions({
  queryKey: ['auth', 'options'],
  queryFn: readOptions,
  staleTime: Number.POSITIVE_INFINITY,
});

/** For guards: loads the options before a page is shown, so that its layout does not shift. */
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
