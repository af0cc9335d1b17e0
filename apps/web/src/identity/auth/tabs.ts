/** Messages between the tabs of a browser: they share the session cookie, so a sign-out affects all of them. */
export type TabMessage = { kind: 'signed_out' } | { kind: 'signed_in'; userId: string };

const channel =
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('reachout.session');

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin
export const tellTabs = (message: TabMessage): void => channel?.postMessage(message);

export function listenToTabs(listener: (message: TabMessage) => void): () => void {
  const onMessage = ({ data }: MessageEvent<TabMessage>) => listener(data);
  channel?.addEventListener('message', onMessage);
  return () => channel?.removeEventListener('message', onMessage);
}
