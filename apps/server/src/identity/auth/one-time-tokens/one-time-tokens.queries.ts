import { sql } from 'kysely';
import type { Transaction } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { maxValidCodes, maxFailedAttempts, type TokenPayload, type TokenPurpose } from './one-time-token.ts';

export interface OneTimeToken {
  id: string;
  email: string;
  user_id: string | null;
  browser_hash: string | null;
  payload: TokenPayload;
}

export interface NewToken {
  purpose: TokenPurpose;
  /** In lower case. */
  email: string;
  user_id?: string;
  /** Of something that nobody was told, until the mail is written. */
  secret_hash: string;
  browser_hash?: string;
  payload?: TokenPayload;
  validForMs: number;
}

export async function insertToken(trx: Transaction, token: NewToken): Promise<string> {
  const { validForMs, payload = {}, ...columns } = token;
  const id = newId();
  await trx
    .insertInto('one_time_tokens')
    .values({
      ...columns,
      id,
      payload: JSON.stringify(payload),
      expires_at: sql<string>`now() + ${validForMs} * interval '1 millisecond'`,
    })
    .execute();
  return id;
}

/** The name and password hash of a sign-up are stored only until the link is used. */
const used = { used_at: sql<string>`now()`, payload: '{}' };

/**
 * Makes links and codes of these purposes worthless, those to an address and those of a person. They are taken in one
 * order, so that of two links opened at the same moment each does not wait for the other.
 * @returns the ids of those that were unused until now: a request that finds its own token among them is the first
 */
export async function revokeTokens(
  trx: Transaction,
  purposes: readonly TokenPurpose[],
  { emails = [], userId }: { emails?: readonly string[]; userId?: string },
): Promise<string[]> {
  const unused = trx
    .selectFrom('one_time_tokens')
    .select('id')
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .where((of) =>
      of.or([
        ...emails.map((email) => of('email', '=', email)),
        ...(userId === undefined ? [] : [of('user_id', '=', userId)]),
      ]),
    )
    .orderBy('id')
    .forUpdate();
  const revoked = await trx
    .updateTable('one_time_tokens')
    .set(used)
    .where('id', 'in', unused)
    .returning('id')
    .execute();
  return revoked.map(({ id }) => id);
}

const selectUsable = (trx: Transaction) =>
  trx
    .selectFrom('one_time_tokens')
    .select(['id', 'email', 'user_id', 'browser_hash', 'payload'])
    .where('used_at', 'is', null)
    .where('failed_attempts', '<', maxFailedAttempts)
    .where('expires_at', '>', sql<string>`now()`)
    .$castTo<OneTimeToken>();

/** The valid token with one of these hashes: of its secret, or of the browser that requested it. */
export const findToken = (
  trx: Transaction,
  purpose: TokenPurpose,
  column: 'secret_hash' | 'browser_hash',
  hashes: readonly string[],
): Promise<OneTimeToken | undefined> =>
  selectUsable(trx).where('purpose', '=', purpose).where(column, 'in', hashes).executeTakeFirst();

/** Holds the token, so that its mail is written for one worker at a time, and not for one that was revoked. */
export const lockToken = (
  trx: Transaction,
  purpose: TokenPurpose,
  id: string,
): Promise<OneTimeToken | undefined> =>
  selectUsable(trx).where('purpose', '=', purpose).where('id', '=', id).forUpdate().executeTakeFirst();

export async function setSecret(
  trx: Transaction,
  id: string,
  secret: { secret_hash: string; user_id: string | null },
): Promise<void> {
  await trx.updateTable('one_time_tokens').set(secret).where('id', '=', id).execute();
}

const updateUnused = (trx: Transaction, id: string) =>
  trx
    .updateTable('one_time_tokens')
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`);
const updateUsable = (trx: Transaction, id: string) =>
  updateUnused(trx, id).where('failed_attempts', '<', maxFailedAttempts);

/** @returns whether this was the one use */
export async function useToken(trx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await updateUnused(trx, id).set(used).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Makes room for one more code of an address: those of the asking browser are revoked, and of the others the latest
 * stay, so that a stranger who asks does not revoke what the owner is about to enter.
 * @param browserHashes  of the browser's attempt before
 */
export async function revokeOlderCodes(
  trx: Transaction,
  email: string,
  browserHashes: readonly string[],
): Promise<void> {
  const codes = await lockCodes(trx, email);
  const isOfBrowser = ({ browser_hash }: { browser_hash: string | null }) =>
    browser_hash !== null && browserHashes.includes(browser_hash);
  const kept = codes.filter((code) => !isOfBrowser(code)).slice(1 - maxValidCodes);
  const revoked = codes.filter((code) => !kept.includes(code)).map(({ id }) => id);
  if (revoked.length === 0) return;
  await trx.updateTable('one_time_tokens').set(used).where('id', 'in', revoked).execute();
}

/** Wrong tries of all codes of an address that hold: they share one budget. The codes stay locked. */
export async function countFailedAttempts(trx: Transaction, email: string): Promise<number> {
  const codes = await lockCodes(trx, email);
  return codes.reduce((sum, { failed_attempts }) => sum + failed_attempts, 0);
}

/** The valid codes, the oldest first: ids sort by time. */
const lockCodes = (trx: Transaction, email: string) =>
  trx
    .selectFrom('one_time_tokens')
    .select(['id', 'browser_hash', 'failed_attempts'])
    .where('purpose', '=', 'sign_in_code')
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .orderBy('id')
    .forUpdate()
    .execute();

/**
 * Compares and counts in one statement: of a thousand guesses at once five are looked at, and of two right ones one
 * succeeds.
 * @returns undefined when the token was used, revoked, tried too often or is too old
 */
export async function verifySecret(
  trx: Transaction,
  id: string,
  secretHashes: string[],
): Promise<'right' | 'wrong' | undefined> {
  const isRight = sql<boolean>`secret_hash = any(${secretHashes}::text[])`;
  const row = await updateUsable(trx, id)
    .set({
      used_at: sql<string | null>`case when ${isRight} then now() end`,
      failed_attempts: sql<number>`failed_attempts + case when ${isRight} then 0 else 1 end`,
    })
    .returning(isRight.as('is_right'))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return row.is_right ? 'right' : 'wrong';
}

/**
 * Counts a try before it is looked at.
 * @returns false when there were too many
 */
export async function countAttempt(trx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await updateUsable(trx, id)
    .set({ failed_attempts: sql<number>`failed_attempts + 1` })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
