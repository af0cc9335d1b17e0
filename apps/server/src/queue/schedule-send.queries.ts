import { recipientGroups, type RecipientGroup } from '@reachout/contract/statuses.ts';
import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import { sql } from 'kysely';
import { onlyRowOf, type Transaction } from '../platform/database/database.ts';

export interface OpenWork {
  /** Whether there are unfinished chunks or queued messages. */
  isOpen: boolean;
  /** Whether a live worker has leased some of it. */
  isLeased: boolean;
}

export async function findOpenWork(trx: Transaction, sendId: string): Promise<OpenWork> {
  const ofSend = sql`organization_id = current_organization_id() and send_id = ${sendId}`;
  const isLeased = sql`worker_id is not null and lease_until >= now() and worker_is_alive(worker_id)`;
  return await onlyRowOf<OpenWork>(trx)`
    select
      exists (select from delivery_chunks where ${ofSend} and not done)
        or exists (select from delivery_queue where ${ofSend}) as "isOpen",
      exists (select from delivery_chunks where ${ofSend} and ${isLeased})
        or exists (select from delivery_queue where ${ofSend} and ${isLeased}) as "isLeased"
  `;
}

/** A lane of which nothing is leased for now. */
export interface WaitingLane {
  lane: RecipientGroup;
  waitMs: number;
  /** Shown to users; undefined while it is unknown. */
  reason: SendError | undefined;
}

/**
 * Schedules a send of which nothing can be leased now: it is due again when a queued message is, when the time of a free chunk
 * comes, or when the wait of its lane ends. The caller has locked the send.
 */
export async function scheduleSend(
  trx: Transaction,
  sendId: string,
  waiting: readonly WaitingLane[],
): Promise<void> {
  const ofLane = sql`organization_id = current_organization_id() and send_id = ${sendId} and lane = l.lane`;
  const waits = recipientGroups.map((group) => waiting.find(({ lane }) => lane === group));
  await sql`
    with next as materialized (
      select greatest(work.due_at, now() + make_interval(secs => l.wait_ms / 1000.0)) as due_at,
        case when work.due_at <= now() then l.reason end as reason
      from unnest(${[...recipientGroups]}::text[], ${waits.map((wait) => wait?.waitMs ?? 0)}::int[],
        ${waits.map((wait) => (wait?.reason === undefined ? null : JSON.stringify(wait.reason)))}::jsonb[]) l(lane, wait_ms, reason)
      cross join lateral (
        -- The first chunk of a lane is also the one whose time comes first.
        (select greatest(not_before, now()) as due_at from delivery_chunks
          where ${ofLane} and not done and worker_id is null
          order by first_seq limit 1)
        union all
        (select due_at from delivery_queue where ${ofLane} and worker_id is null and due_at is not null
          order by due_at limit 1)
      ) work
      order by 1, reason nulls last
      limit 1
    )
    update touchpoint_sends
    set next_due_at = (select due_at from next), error = coalesce((select reason from next), error)
    where id = ${sendId}
  `.execute(trx);
}
