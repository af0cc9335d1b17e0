import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { fetchOrProblem } from '#web/platform/fetch.ts';
import { isRecord } from '#web/platform/problem.ts';

const offers = ['open', 'needs_link'] as const;
type Offer = (typeof offers)[number];
const signUps = ['open', 'invited', 'closed'] as const;

interface AuthOptions {
  providers: readonly { id: string; name: string }[];
  /** Who can create an account. */
  sign_up: (typeof signUps)[number];
  /** Whether this browser can read the platform's own emails at `/mailbox`, or needs its link first; null elsewhere. */
  local_mailbox: Offer | null;
  /** Whether this browser can open the demo or needs its link first; null if there is no demo. */
  demo: Offer | null;
}

/** The sign-in methods of this installation. */
export const authOptionsQuery = queryOptions({
  queryKey: ['auth', 'options'],
  queryFn: readOptions,
  staleTime: Number.POSITIVE_INFINITY,
  // The link to the system inbox opens it in another tab.
  refetchOnWindowFocus: ({ state }) => (state.data?.local_mailbox === 'needs_link' ? 'always' : false),
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
    local_mailbox: readOffer(body, 'local_mailbox'),
    demo: readOffer(body, 'demo'),
  };
}

const readOffer = (body: unknown, name: string): Offer | null =>
  offers.find((known) => isRecord(body) && body[name] === known) ?? null;
