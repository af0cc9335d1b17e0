import { sql, type RawBuilder } from 'kysely';
import type { eventReactions, Reaction, TouchpointEventListener } from '@reachout/contract/event-graph.ts';
import type { InputOf } from '@reachout/contract/operation.ts';
import type { ReactionAction, ReactionReason } from '@reachout/contract/rules/event-graph.ts';
import {
  execute,
  firstRowOf,
  onlyRowOf,
  onlyValueOf,
  rowsOf,
  type Transaction,
} from '../platform/database/database.ts';

type ReactionQuery = InputOf<typeof eventReactions.list>;

const waitingFirst = sql`r.state = 'waiting' desc, case when r.state = 'waiting' then r.due_at end, r.ended_at desc, r.id`;

/** Reactions of touchpoints that are not deleted. */
const isShown = sql`r.organization_id = current_organization_id() and r.touchpoint_id in (select t.id from current_touchpoints t)`;

/** Selects reactions as they are shown, with the event and the cause as far as these are not deleted. */
const selectReactions = (condition: RawBuilder<unknown>, page: RawBuilder<unknown> = sql``) => sql`
  select r.id, l.touchpoint_event_id, r.listener_id, r.action, r.touchpoint_id, t.name as touchpoint_name, r.brand_id, b.client_id,
    r.collection, r.contact_id,
    jsonb_build_object('type', r.cause_type, 'at', to_char(r.cause_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'touchpoint_id', c.id, 'touchpoint_name', c.name, 'detail', r.cause_detail) as cause,
    nullif(r.due_at, 'infinity') as due_at, r.state, r.reason, r.ended_at, r.send_id, r.seq
  from (
    select * from reactions r
    where ${isShown} and ${condition}
    order by ${waitingFirst}
    ${page}
  ) r
  join current_touchpoints t on t.organization_id = r.organization_id and t.id = r.touchpoint_id
  left join current_touchpoints c on c.organization_id = r.organization_id and c.id = r.cause_touchpoint_id
  left join current_brands b on b.organization_id = r.organization_id and b.id = r.brand_id
  left join event_listeners l on l.organization_id = r.organization_id and l.id = r.listener_id
  order by ${waitingFirst}`;

/** Lists those that wait, the next first, and then the others, the newest first. */
export async function listReactions(
  trx: Transaction,
  { page, page_size, ...filters }: ReactionQuery,
): Promise<{ items: Reaction[]; count: number }> {
  const matching = sql.join(
    [
      sql`true`,
      ...Object.entries(filters).flatMap(([column, value]) =>
        value === undefined ? [] : [sql`r.${sql.ref(column)} = ${value}`],
      ),
    ],
    sql` and `,
  );
  const items = await rowsOf<Reaction>(trx)`${selectReactions(
    matching,
    sql`limit ${page_size} offset ${page * page_size}`,
  )}`;
  const count = await onlyValueOf<number>(trx)`
    select count(*) as count from reactions r where ${isShown} and ${matching}
  `;
  return { items, count };
}

export const findReaction = (trx: Transaction, id: string) =>
  firstRowOf<Reaction>(trx)`${selectReactions(sql`r.id = ${id}`)}`;

/** Lets a reaction wait no longer. @returns false if it does not wait */
export const cancelReaction = async (
  trx: Transaction,
  id: string,
  reason: ReactionReason,
): Promise<boolean> => {
  const rows = await rowsOf(trx)`
    update reactions set state = 'cancelled', reason = ${reason}, ended_at = now()
    where organization_id = current_organization_id() and id = ${id} and state = 'waiting'
    returning id
  `;
  return rows.length === 1;
};

/** Reactions of listeners that wait. */
const waitingFor = (listeners: readonly { id: string }[]) => sql`
  organization_id = current_organization_id() and listener_id = any(${listeners.map(({ id }) => id)}::uuid[]) and state = 'waiting'`;

export const cancelReactionsOf = (
  trx: Transaction,
  listeners: readonly { id: string }[],
  reason: ReactionReason,
) => execute(trx)`
  update reactions set state = 'cancelled', reason = ${reason}, ended_at = now() where ${waitingFor(listeners)}
`;

/** Lets what waits do something else. */
export const changeActionOf = (
  trx: Transaction,
  listeners: readonly { id: string }[],
  action: ReactionAction,
) => execute(trx)`
  update reactions set action = ${action} where ${waitingFor(listeners)}
`;

/** A listener, and its delay, ISO 8601. */
export type Delayed = Pick<TouchpointEventListener, 'id' | 'delay'>;

const toRows = (listeners: readonly Delayed[]) =>
  sql`json_to_recordset(${JSON.stringify(listeners.map(({ id, delay }) => ({ id, delay })))}::json) as l (id uuid, delay text)`;

/** Gives what waits the time at which it is due by these delays. @param isOn  whether their event is switched on */
export const rescheduleReactions = (
  trx: Transaction,
  listeners: readonly Delayed[],
  isOn: boolean,
) => execute(trx)`
  update reactions r set due_at = ${isOn ? sql`r.cause_at + l.delay::interval` : sql`'infinity'`}
  from ${toRows(listeners)}
  where r.organization_id = current_organization_id() and r.listener_id = l.id and r.state = 'waiting'
`;

/** Counts what waits for listeners, and of that what is due by these delays. */
export const countWaiting = (trx: Transaction, listeners: readonly Delayed[]) => onlyRowOf<{
  waiting: number;
  due: number;
}>(trx)`
  select count(r) as waiting, count(r) filter (where r.cause_at + l.delay::interval <= now()) as due
  from ${toRows(listeners)}
  join reactions r on r.organization_id = current_organization_id() and r.listener_id = l.id and r.state = 'waiting'
`;

type Counted = Pick<TouchpointEventListener, 'numbers' | 'skip_reasons' | 'next_due_at'>;

interface Group extends Pick<Reaction, 'listener_id' | 'state' | 'reason'> {
  count: number;
  next_due_at: string | null;
}

/** Counts the reactions of listeners. */
export async function countReactions(
  trx: Transaction,
  listenerIds: readonly string[],
): Promise<Map<string, Counted>> {
  const groups = await rowsOf<Group>(trx)`
    select listener_id, state, reason, count(*) as count, nullif(min(due_at), 'infinity') as next_due_at
    from reactions
    where organization_id = current_organization_id() and listener_id = any(${[...listenerIds]}::uuid[])
    group by 1, 2, 3
    order by count desc, reason
  `;
  const ofListener = Map.groupBy(groups, ({ listener_id }) => listener_id);
  return new Map(listenerIds.map((id) => [id, summarize(ofListener.get(id) ?? [])]));
}

function summarize(groups: readonly Group[]): Counted {
  const numbers = { waiting: 0, sent: 0, done: 0, skipped: 0, cancelled: 0 };
  for (const { state, count } of groups) numbers[state] += count;
  return {
    numbers,
    skip_reasons: groups.flatMap(({ state, reason, count }) =>
      state === 'skipped' && reason !== null ? [{ reason, count }] : [],
    ),
    next_due_at: groups.find(({ state }) => state === 'waiting')?.next_due_at ?? null,
  };
}

/** Deletes what events have caused for a contact. @param collection  empty for one who is known by the address alone */
export const deleteReactionsOf = (
  trx: Transaction,
  organizationId: string,
  { collection, contactId }: { collection: string; contactId: string },
) => execute(trx)`
  delete from reactions
  where organization_id = ${organizationId} and collection = ${collection}
    and case when collection = '' then lower(contact_id) else contact_id end = ${contactId}
`;

/** SQL that selects what events have caused for contacts, the newest first. */
export const selectReactionsOf = (
  organizationId: string,
  contacts: readonly { collection: string; contact_id: string }[],
  limit: number,
): RawBuilder<unknown> => sql`
  select b.name as brand, t.name as touchpoint, r.action, r.cause_type, r.cause_detail, r.cause_at, r.state, r.reason, r.ended_at
  from json_to_recordset(${JSON.stringify(contacts)}::json) as g (collection text, contact_id text)
  join reactions r on r.organization_id = ${organizationId} and r.contact_id = g.contact_id and r.collection = g.collection
  left join current_brands b on b.organization_id = r.organization_id and b.id = r.brand_id
  left join current_touchpoints t on t.organization_id = r.organization_id and t.id = r.touchpoint_id
  order by r.cause_at desc
  limit ${limit}`;
