import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import type { Connection } from '@reachout/contract/rules/connections.ts';
import { findLoop } from '@reachout/contract/rules/find-loop.ts';

type Known = Pick<Touchpoint, 'id' | 'name' | 'type' | 'status' | 'campaign_id'>;

/** What a member should know of a graph before relying on it. @param touchpoints  of the brand */
export function checkGraph(
  connections: readonly Connection[],
  touchpoints: readonly Known[],
  campaignId: string,
) {
  const isSending = ({ event }: Connection) => event.action === 'send_email';
  const listenersOf = (some: readonly Connection[]) =>
    new Set(some.map(({ listener }) => listener?.listener_touchpoint_id));
  const active = connections.filter(({ event }) => event.is_active);
  const notifiers = new Set(active.map(({ event }) => event.notifier_touchpoint_id));
  const due = listenersOf(active.filter(isSending));
  const reached = listenersOf(connections.filter(isSending));
  const names = new Map(touchpoints.map(({ id, name }) => [id, name]));
  const edges = connections
    .filter(isSending)
    .flatMap(({ event: { notifier_touchpoint_id: from }, listener }) =>
      from !== null && listener ? [{ from, to: listener.listener_touchpoint_id }] : [],
    );
  return {
    /** Ways that lead back to their first email, by names: they end only because each contact gets it once. */
    loops: findLoops(edges).map((loop) => loop.map((id) => names.get(id) ?? '')),
    /** Emails that are to be sent, and are not active: what is due waits for them. */
    waiting: touchpoints.filter(({ id, status }) => due.has(id) && status !== 'active'),
    /** Websites whose events are not stored. */
    silent: touchpoints.filter(
      ({ id, type, status }) => notifiers.has(id) && type === 'website' && status !== 'active',
    ),
    /** Drafts of the campaign to which nothing leads. */
    unreached: touchpoints.filter(
      ({ id, campaign_id, type, status }) =>
        connections.length > 0 &&
        campaign_id === campaignId &&
        type === 'email' &&
        status === 'draft' &&
        !reached.has(id),
    ),
  };
}

/** Loops that have no email in common. */
function findLoops(edges: readonly { from: string; to: string }[]): string[][] {
  const loop = findLoop(edges);
  return loop === undefined ? [] : [loop, ...findLoops(edges.filter(({ from }) => !loop.includes(from)))];
}
