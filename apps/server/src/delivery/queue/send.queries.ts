import { sql } from 'kysely';
import { sendCan, type SendKind, type SendStatus } from '@reachout/contract/states/send.ts';
import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { Audience } from '../../content/audiences/audience.ts';
import type { EmailSnapshot } from '../../email/email-content.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';

export interface NewSend {
  id: string;
  organization_id: string;
  touchpoint_id: string;
  brand_id: string;
  kind: SendKind;
  /** `sending` for one that takes single messages: there is no audience to prepare. */
  status: SendStatus;
  send_date: Date;
  uncertain_policy: UncertainPolicy;
  recipients_confirmed_count: number;
  user_created: string;
}

export async function insertSend(
  trx: Transaction,
  row: NewSend,
  content: EmailSnapshot,
  audience: Audience | null,
): Promise<void> {
  await trx
    .insertInto('touchpoint_sends')
    .values({
      ...row,
      send_date: row.send_date.toISOString(),
      next_due_at: row.send_date.toISOString(),
    })
    .execute();
  await trx
    .insertInto('touchpoint_send_contents')
    .values({
      organization_id: row.organization_id,
      send_id: row.id,
      content: JSON.stringify(content),
      audience: audience && JSON.stringify(audience),
    })
    .execute();
}

/** One that failed, or was cancelled before it started, has sent nothing (`touchpoint_sends_one_follow_up`). */
export async function isFollowedUp(trx: Transaction, parentId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('touchpoint_sends')
    .select('id')
    .where('parent_send_id', '=', parentId)
    .where('status', '<>', 'failed')
    .where((eb) => eb.or([eb('status', '<>', 'cancelled'), eb('recipients_total_count', '>', 0)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns false when no delivery of the parent failed */
export async function insertFollowUp(
  trx: Transaction,
  row: { id: string; parent_send_id: string; send_date: Date; user_created: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with parent as (
      select * from touchpoint_sends
      where id = ${row.parent_send_id} and organization_id = current_organization_id() and recipients_total_failed_count > 0
    ), created as (
      insert into touchpoint_sends (organization_id, id, touchpoint_id, brand_id, kind, parent_send_id, send_date, next_due_at,
        uncertain_policy, recipients_confirmed_count, user_created)
      select organization_id, ${row.id}::uuid, touchpoint_id, brand_id, 'follow_up', id, ${row.send_date}, ${row.send_date},
        uncertain_policy, recipients_total_failed_count, ${row.user_created}::uuid
      from parent
    )
    insert into touchpoint_send_contents (organization_id, send_id, content, audience)
    select c.organization_id, ${row.id}::uuid, c.content, c.audience
    from parent p
    join touchpoint_send_contents c on c.organization_id = p.organization_id and c.send_id = p.id
  `.execute(trx);
  return numAffectedRows === 1n;
}

export interface FoundSend {
  /** What is to be done; `held`: nothing is due, and its status was asked for (`due_sends` in db/functions/work.sql). */
  work: 'prepare' | 'end' | 'single' | 'new' | 'queued' | 'chunk' | 'rest' | 'held';
  organization_id: string;
  send_id: string;
  kind: SendKind;
  status: SendStatus;
  /** ISO 8601; null for one that is found because its worker died. */
  next_due_at: string | null;
}

/**
 * Sends with something to do, over all organizations, once for each kind of work, and those that the caller works on.
 * @param held  ids; those that may not go on at all are missing in the answer
 */
export async function findDueSends(
  db: Database,
  { toPrepare, perList }: { toPrepare: number; perList: number },
  held: string[],
): Promise<FoundSend[]> {
  const { rows } = await sql<FoundSend>`
    select * from due_sends(${toPrepare}, ${perList}, ${held}::uuid[])`.execute(db);
  return rows;
}

export interface LockedSend {
  id: string;
  organization_id: string;
  send_number: number;
  touchpoint_id: string;
  kind: SendKind;
  parent_send_id: string | null;
  status: SendStatus;
  send_date: string;
  end_date: string | null;
  uncertain_policy: UncertainPolicy;
  failure_count: number;
  worker_deaths: number;
  /** It was due for more than a day, and nobody worked on it. */
  is_overdue: boolean;
}

/** Locks a send until the transaction ends. Lock order everywhere: send, touchpoint, campaign, brand, client. */
export const lockSend = (trx: Transaction, id: string): Promise<LockedSend> =>
  selectLocked(trx, id).executeTakeFirstOrThrow(notFound);

/** As `lockSend`, unless somebody else holds it right now. */
export const tryLockSend = (trx: Transaction, id: string): Promise<LockedSend | undefined> =>
  selectLocked(trx, id).skipLocked().executeTakeFirst();

/** As `tryLockSend`, unless the send was postponed since it was looked for. */
export const tryLockDueSend = (trx: Transaction, id: string): Promise<LockedSend | undefined> =>
  selectLocked(trx, id)
    .where(sql<boolean>`next_due_at <= now()`)
    .skipLocked()
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
      'status',
      'send_date',
      'end_date',
      'uncertain_policy',
      'failure_count',
      'worker_deaths',
      sql<boolean>`coalesce(next_due_at < now() - interval '1 day', false)`.as('is_overdue'),
    ])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .$castTo<LockedSend>();

/** Columns that change together with the status. */
export interface SendChanges {
  error_content?: string | null;
  audience_breakdown?: unknown;
  recipients_total_count?: number;
  failure_count?: number;
  worker_deaths?: number;
}

export async function updateSend(
  trx: Transaction,
  id: string,
  changes: SendChanges & { status: SendStatus; isEnded: boolean },
): Promise<void> {
  const { audience_breakdown, isEnded, ...columns } = changes;
  await trx
    .updateTable('touchpoint_sends')
    .set({
      ...columns,
      ...(audience_breakdown === undefined ? {} : { audience_breakdown: JSON.stringify(audience_breakdown) }),
      ...(isEnded ? { end_date: sql`now()` } : {}),
      next_due_at: isEnded || sendCan.resume(changes) ? null : sql`now()`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute();
}

/** What was fixed when the send was confirmed. */
export interface SendContent {
  content: EmailSnapshot;
  /** Null where single messages are taken. That of a follow-up is its campaign's. */
  audience: Audience | null;
  messageIdBase: string;
}

export const getSendContent = (trx: Transaction, sendId: string): Promise<SendContent> =>
  trx
    .selectFrom('touchpoint_send_contents')
    .select(['content', 'audience', 'message_id_base as messageIdBase'])
    .where('send_id', '=', sendId)
    .$castTo<SendContent>()
    .executeTakeFirstOrThrow();
