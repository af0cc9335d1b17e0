import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hasEnded } from '@reachout/contract/states/send.ts';
import { apiOf } from '#web/platform/api.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { queryClient, refresh } from '#web/platform/query-client.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';
import { sendQuery } from './send-queries.ts';

const pollMs = 2_000;
const pollHiddenMs = 15_000;

/**
 * Live data of one send: numbers arrive as server-sent events. While the stream is interrupted, the send is polled every 2
 * seconds (15 while the tab is hidden). Both stop at the end of the send.
 */
export function useLiveSend(sendId: string) {
  const scope = useOrganization();
  const { orgId } = scope;
  const [streaming, setStreaming] = useState(false);
  const query = useQuery({
    ...sendQuery(scope, sendId),
    refetchInterval: ({ state }) => {
      if (streaming || !state.data || hasEnded(state.data)) return false;
      return document.hidden ? pollHiddenMs : pollMs;
    },
    refetchIntervalInBackground: true,
  });
  const live = query.data !== undefined && !hasEnded(query.data);
  // Touchpoint, campaign and messages change together with the send, also when a cancelled one ends.
  useOnChange(query.data && `${query.data.status} ${query.data.end_date}`, () => void refresh(orgId));

  useEffect(() => {
    if (!live) return undefined;
    const abort = new AbortController();
    void followSend(orgId, sendId, abort.signal, () => setStreaming(true)).finally(() => setStreaming(false));
    return () => abort.abort();
  }, [live, sendId, orgId]);

  return { query, live, streaming };
}

/** Writes each update into the query cache, until the send ends or the page is left. Never rejects. */
async function followSend(
  orgId: string,
  sendId: string,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<void> {
  const key = apiOf(orgId).sends.get.queryKey({ input: { id: sendId } });
  try {
    const { streamClient } = await import('#web/platform/api-stream.ts');
    const updates = await streamClient.sends.progress({ id: sendId }, { signal });
    onOpen();
    for await (const send of updates) queryClient.setQueryData(key, send);
  } catch {
    // Polling continues; a relevant failure shows up there.
  }
}
