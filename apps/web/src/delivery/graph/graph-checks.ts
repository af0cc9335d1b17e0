import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import type { Connection } from '@reachout/contract/rules/connections.ts';

type Known = Pick<Touchpoint, 'id' | 'name' | 'type' | 'status' | 'campaign_id'>;

/** What a member should know of a graph before relying on it, by names. */
export interface GraphNotes {
  /** Ways that lead back to their first email: they end only because each contact gets it once. */
  loops: string[][];
  /** Emails that are to be sent, and are not active: what is due waits for them. */
  waiting: Known[];
  /** Websites whose events are not stored. */
  silent: Known[];
  /** Drafts of the campaign to which nothing leads. */
  unreached: Known[];
}

/** @param touchpoints  of the brand */
export function checkGraph(
  connections: readonly Connection[],
  touchpoints: readonly Known[],
  campaignId: string,
): GraphNotes {
  const sending = connections.filter(({ event }) => event.action === 'send_email');
  const active = connections.filter(({ event }) => event.is_active);
  const idsOf = (some: readonly Connection[], idOf: (one: Connection) => string | null | undefined) =>
    new Set(some.map(idOf));
  const notifiers = idsOf(active, ({ event }) => event.notifier_touchpoint_id);
  const reached = idsOf(sending, ({ listener }) => listener?.listener_touchpoint_id);
  const due = idsOf(
    active.filter(({ event }) => event.action === 'send_email'),
    ({ listener }) => listener?.listener_touchpoint_id,
  );
  const names = new Map(touchpoints.map(({ id, name }) => [id, name]));
  return {
    loops: findLoops(sending).map((loop) => loop.map((id) => names.get(id) ?? '')),
    waiting: touchpoints.filter(({ id, status }) => due.has(id) && status !== 'active'),
    silent: touchpoints.filter(
      ({ id, type, status }) => notifiers.has(id) && type === 'website' && status !== 'active',
    ),
    unreached:
      connections.length === 0
        ? []
        : touchpoints.filter(
            ({ id, campaign_id, type, status }) =>
              campaign_id === campaignId && type === 'email' && status === 'draft' && !reached.has(id),
          ),
  };
}

/** One loop through each email that can be reached from itself, each loop once. */
function findLoops(connections: readonly Connection[]): string[][] {
  const next = Map.groupBy(
    connections.flatMap(({ event: { notifier_touchpoint_id: from }, listener }) =>
      from !== null && listener ? [{ from, to: listener.listener_touchpoint_id }] : [],
    ),
    ({ from }) => from,
  );
  const loops: string[][] = [];
  for (const start of next.keys()) {
    if (loops.some((loop) => loop.includes(start))) continue;
    const ways = [[start]];
    const seen = new Set<string>();
    for (const way of ways) {
      const targets = (next.get(way.at(-1)!) ?? []).map(({ to }) => to);
      if (targets.includes(start)) {
        loops.push([...way, start]);
        break;
      }
      for (const to of targets)
        if (!seen.has(to)) {
          seen.add(to);
          ways.push([...way, to]);
        }
    }
  }
  return loops;
}
