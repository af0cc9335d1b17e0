import { queryOptions } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';

/** Each picture is rendered by the server, which does little of that at once: a list asks for a few at a time. */
const maxAtOnce = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** @param version  changes when the email does: the id of its last send, or when it was changed */
export const pictureQuery = ({ orgId }: OrganizationContext, touchpointId: string, version: string) =>
  queryOptions({
    // Begins with no owner: a change of another record draws no picture anew.
    queryKey: ['email picture', orgId, touchpointId, version],
    queryFn: ({ signal }) => inTurn(signal, () => client.emails.picture({ id: touchpointId }, { signal })),
    staleTime: Infinity,
    // Kept while lists are turned over; a picture can have 200,000 characters.
    gcTime: 60_000,
    retry: false,
    meta: { quiet: true },
  });

async function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (running < maxAtOnce) running += 1;
  // Takes the place of one that has ended.
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    // Scrolled out of view meanwhile.
    signal.throwIfAborted();
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
