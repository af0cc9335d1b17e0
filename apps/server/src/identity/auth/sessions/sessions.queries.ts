import { sql } from 'kysely';
import type { Transaction } from '../../../platform/database/database.ts';
import { idleSessionMs, maxSessionMs, maxSessions, touchSessionMs } from './session.ts';

const interval = (ms: number) => sql<string>`${ms} * interval '1 millisecond'`;
const absoluteEnd = sql<string>`created_at + ${interval(maxSessionMs)}`;

/** Valid sessions, most recently used first. */
export const selectSessions = (trx: Transaction, userId: string) =>
  trx
    .selectFrom('sessions')
    .select([
      'id',
      'created_at as signed_in_at',
      'last_used_at',
      sql<string>`least(expires_at, ${absoluteEnd})`.as('expires_at'),
      'ip_address',
      'user_agent',
    ])
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<string>`now()`)
    .where(absoluteEnd, '>', sql<string>`now()`)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** @returns false if the user has no such session */
export async function deleteSession(trx: Transaction, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/**
 * @param keptId  the session to keep; without it all sessions end
 * @returns the number of ended sessions
 */
export async function deleteSessions(trx: Transaction, userId: string, keptId?: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keptId !== undefined, (query) => query.where('id', '<>', keptId ?? ''))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Ends the session that a new session of the same user replaces. */
export async function deleteReplacedSession(
  trx: Transaction,
  { userId, token, byId }: { userId: string; token: string; byId: string },
): Promise<void> {
  await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('token', '=', token)
    .where('id', '<>', byId)
    .execute();
}

/** Ends the sessions over the maximum per user. */
export async function deleteSurplusSessions(trx: Transaction, userId: string): Promise<void> {
  const kept = trx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxSessions);
  await trx.deleteFrom('sessions').where('user_id', '=', userId).where('id', 'not in', kept).execute();
}

/** Moves the end of a session in use to a week from now, at most thirty days after its start. */
export async function touchSession(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({
      last_used_at: sql<string>`now()`,
      expires_at: sql<string>`least(now() + ${interval(idleSessionMs)}, ${absoluteEnd})`,
    })
    .where('id', '=', id)
    // Of several concurrent requests, only one writes.
    .where('last_used_at', '<', sql<string>`now() - ${interval(touchSessionMs)}`)
    .execute();
}

export const findUserStatus = (trx: Transaction, userId: string) =>
  trx.selectFrom('users').select('status').where('id', '=', userId).executeTakeFirst();

/** The user and the expiry of a session; undefined if it has just ended. */
export const describeSession = (trx: Transaction, id: string) =>
  trx
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['u.id as user_id', 'u.email', 'u.full_name as name', 'u.avatar_url'])
    .select(sql<string>`least(s.expires_at, s.created_at + ${interval(maxSessionMs)})`.as('expires_at'))
    .where('s.id', '=', id)
    .executeTakeFirst();
