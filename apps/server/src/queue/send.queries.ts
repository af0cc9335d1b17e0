import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import { sql, type NotNull, type RawBuilder } from 'kysely';
import { sendCan, type SendStatus } from '@reachout/contract/states/send.ts';
import type { StoredAudience } from '../contacts/audiences/audience.ts';
import type { EmailSnapshot } from '../email/email-content.ts';
import type { MessageHosts } from '../email/transports/sender-policy.ts';
import { notFound } from '../platform/http/api-error.ts';
import { onlyValueOf, type RowOf, type Transaction } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';

export type LockedSend = RowOf<typeof selectLocked>;

/** Locks a send until the transaction ends. Lock order everywhere: send, touchpoint, campaign, brand, client. */
export const lockSend = (trx: Transaction, id: string): Promise<LockedSend> =>
  selectLocked(trx, id).$call(prepared).executeTakeFirstOrThrow(notFound);

/** Like `lockSend`. @returns undefined if there is no such send */
export const lockSendIfThere = (trx: Transaction, id: string): Promise<LockedSend | undefined> =>
  selectLocked(trx, id).$call(prepared).executeTakeFirst();

/** Like `lockSend`. @returns undefined if another transaction holds the lock */
export const tryLockSend = (trx: Transaction, id: string): Promise<LockedSend | undefined> =>
  selectLocked(trx, id).skipLocked().$call(prepared).executeTakeFirst();

/** Like `tryLockSend`. @returns undefined also if the send was postponed after it was found */
export const tryLockDueSend = (trx: Transaction, id: string): Promise<LockedSend | undefined> =>
  selectLocked(trx, id)
    .where(sql<boolean>`next_due_at <= now()`)
    .skipLocked()
    .$call(prepared)
    .executeTakeFirst();

const selectLocked = (trx: Transaction, id: string) =>
  trx
    .selectFrom('touchpoint_sends')
    .select([
      'id',
      'organization_id',
      'send_number',
      'touchpoint_id',
      'kind',
      'parent_send_id',
      'schedule_id',
      'item_id',
      // The planned time of an occurrence of a schedule.
      'occurrence_at',
      'in_series',
      'status',
      // Who confirmed it; null once the account was erased.
      'user_created',
      'send_date',
      'end_date',
      'uncertain_policy',
      'failure_count',
      'worker_deaths',
      // Whether it was due for more than a day without being processed.
      sql<boolean>`coalesce(next_due_at < now() - interval '1 day', false)`.as('is_overdue'),
      // Whether its start has passed.
      sql<boolean>`send_date < now()`.as('is_past'),
    ])
    .where('id', '=', id)
    .forNoKeyUpdate();

/** What decides when the messages of a send start; a follow-up has the schedule of its parent. */
export const getTimesSource = (trx: Transaction, id: string) =>
  trx
    .selectFrom('touchpoint_sends as s')
    .leftJoin('touchpoint_sends as parent', (on) =>
      on
        .onRef('parent.organization_id', '=', 's.organization_id')
        .onRef('parent.id', '=', 's.parent_send_id'),
    )
    .select(['s.brand_id', sql<string | null>`coalesce(s.schedule_id, parent.schedule_id)`.as('schedule_id')])
    .where('s.id', '=', id)
    .$call(prepared)
    .executeTakeFirstOrThrow();

/** What decides who sends. */
export const getSender = (trx: Transaction, id: string) =>
  trx
    .selectFrom('touchpoint_sends as s')
    .innerJoin('touchpoint_send_contents as c', (on) =>
      on.onRef('c.organization_id', '=', 's.organization_id').onRef('c.send_id', '=', 's.id'),
    )
    .select(['s.brand_id', 's.touchpoint_id', sql<string>`c.content ->> 'from_email'`.as('from_email')])
    .where('s.id', '=', id)
    .$call(prepared)
    .executeTakeFirstOrThrow();

export const setSendError = (trx: Transaction, id: string, error: SendError): Promise<unknown> =>
  trx
    .updateTable('touchpoint_sends')
    .set({ error: JSON.stringify(error) })
    .where('id', '=', id)
    .execute();

/** Columns that change together with the status. */
export interface SendChanges {
  error?: SendError | null;
  audience_breakdown?: unknown;
  recipients_total_count?: number;
  failure_count?: number;
  worker_deaths?: number;
  /** New start, for a send that has not started; ISO 8601, or milliseconds from now. */
  startAt?: string | number;
  occurrence_at?: string;
}

export async function updateSend(
  trx: Transaction,
  id: string,
  changes: SendChanges & { status: SendStatus; isEnded: boolean },
): Promise<void> {
  const { audience_breakdown, error, isEnded, startAt, ...columns } = changes;
  const start = startAt === undefined ? undefined : toDue(startAt);
  await trx
    .updateTable('touchpoint_sends')
    .set({
      ...columns,
      ...(error === undefined ? {} : { error: error && JSON.stringify(error) }),
      ...(audience_breakdown === undefined ? {} : { audience_breakdown: JSON.stringify(audience_breakdown) }),
      ...(isEnded ? { end_date: sql`now()` } : {}),
      ...(start === undefined ? {} : { send_date: start }),
      next_due_at:
        isEnded || sendCan.resume(changes)
          ? null
          : changes.status === 'queued'
            ? sql`${start ?? sql`send_date`}`
            : sql`now()`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute();
}

/**
 * @param start  ISO 8601, or milliseconds from now by the clock of the database: that of an API process may differ from that of
 *   the workers
 */
export const toDue = (start: string | number): RawBuilder<string> =>
  typeof start === 'string'
    ? sql<string>`${start}::timestamptz`
    : sql<string>`now() + ${start / 1_000}::float8 * interval '1 s'`;

/**
 * Stores the hosts that all messages of a send name, unless it has some: a repeat and the page of a message name the same.
 * @returns those of the send
 */
export const keepHosts = (trx: Transaction, sendId: string, hosts: MessageHosts): Promise<MessageHosts> =>
  trx
    .updateTable('touchpoint_send_contents')
    .set((of) => ({
      bounce_domain: of.fn.coalesce('bounce_domain', of.val(hosts.bounceDomain)),
      public_url: of.fn.coalesce('public_url', of.val(hosts.publicUrl)),
    }))
    .where('send_id', '=', sendId)
    .returning(['bounce_domain as bounceDomain', 'public_url as publicUrl'])
    .$narrowType<{ bounceDomain: NotNull; publicUrl: NotNull }>()
    .executeTakeFirstOrThrow();

/**
 * Notes by which transport messages of a send leave from now on.
 * @param own  undefined for that of the installation
 * @param evidenceMs  as the transport says
 * @returns its index among those of the send
 */
export const keepTransport = (
  trx: Transaction,
  sendId: string,
  own: { id: string; name: string } | undefined,
  evidenceMs?: number,
): Promise<number> => onlyValueOf<number>(trx)`
  update touchpoint_send_contents c
  set transports = case when found.index is null then transports || jsonb_build_object('id', ${own?.id ?? null}::text, 'name', ${own?.name ?? ''}::text,
      'evidence_ms', ${evidenceMs ?? null}::int)
    else transports end
  from (
    select s.send_id, jsonb_array_length(s.transports) as count, (
      select t.number::int - 1 from jsonb_array_elements(s.transports) with ordinality t (kept, number)
      where t.kept ->> 'id' is not distinct from ${own?.id ?? null}) as index
    from touchpoint_send_contents s where s.send_id = ${sendId}
  ) found
  where c.organization_id = current_organization_id() and c.send_id = found.send_id
  returning coalesce(found.index, found.count)
`;

/** Content and audience as stored when the send was confirmed. */
export interface SendContent {
  content: EmailSnapshot;
  /** Null for sends of single messages. A follow-up has the audience of its parent. */
  audience: StoredAudience | null;
  /** Null for sends of single messages. */
  audienceName: string | null;
  confirmedAt: string;
  messageIdBase: string;
  /** `keepTransport` */
  transports: readonly { id: string | null; name: string }[];
}

export const getSendContent = (trx: Transaction, sendId: string): Promise<SendContent> =>
  trx
    .selectFrom('touchpoint_send_contents')
    .select([
      'content',
      'audience',
      'audience_name as audienceName',
      'confirmed_at as confirmedAt',
      'message_id_base as messageIdBase',
      'transports',
    ])
    .where('send_id', '=', sendId)
    .$castTo<SendContent>()
    .executeTakeFirstOrThrow();
