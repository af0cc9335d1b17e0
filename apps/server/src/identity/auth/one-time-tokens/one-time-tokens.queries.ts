import { sql } from 'kysely';
import type { RowOf, Transaction } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { maxValidCodes, maxFailedAttempts, type TokenPayload, type TokenPurpose } from './one-time-token.ts';

export type OneTimeToken = RowOf<typeof selectUsable>;

export interface NewToken {
  purpose: TokenPurpose;
  /** In lower case. */
  email: string;
  user_id?: string;
  /** Hash of an undisclosed random value until the email is composed. */
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
 * Revokes links and codes of these purposes, by address and by user. Rows are locked in id order, so that two links
 * opened concurrently do not deadlock.
 * @returns the ids of tokens that were unused until now: a request that finds its own token among them is the first
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
    .select((eb) => [
      'id',
      'email',
      'user_id',
      'browser_hash',
      eb.ref('payload').$castTo<TokenPayload>().as('payload'),
    ])
    .where('used_at', 'is', null)
    .where('failed_attempts', '<', maxFailedAttempts)
    .where('expires_at', '>', sql<string>`now()`);

/** The valid token with one of these hashes: of its secret, or of the browser that requested it. */
export const findToken = (
  trx: Transaction,
  purpose: TokenPurpose,
  column: 'secret_hash' | 'browser_hash',
  hashes: readonly string[],
): Promise<OneTimeToken | undefined> =>
  selectUsable(trx).where('purpose', '=', purpose).where(column, 'in', hashes).executeTakeFirst();

/** Locks the token, so that only one worker at a time composes its email, and none for a revoked token. */
export const lockToken = (trx: Transaction, purpose: TokenPurpose, id: string) =>
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

/** @returns whether this was the single permitted use */
export async function useToken(trx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await updateUnused(trx, id).set(used).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Frees a slot for one more code of an address: revokes the codes of the requesting browser, and of the others all but
 * the latest `maxValidCodes - 1`, so that a stranger's request does not revoke the code that the owner is about to enter.
 * @param browserHashes  of the browser's previous request
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

/** @returns the failed attempts of all valid codes of an address, which share one limit. Locks the codes. */
export async function countFailedAttempts(trx: Transaction, email: string): Promise<number> {
  const codes = await lockCodes(trx, email);
  return codes.reduce((sum, { failed_attempts }) => sum + failed_attempts, 0);
}

/** Locks the valid codes, oldest first: ids sort by time. */
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
 * Compares and counts in one statement: of a thousand concurrent guesses five are compared, and of two correct ones one
 * succeeds.
 * @returns undefined if the token was used, revoked, tried too often or has expired
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
 * Counts an attempt before it is checked.
 * @returns false if there were too many, or the token was used or has expired
 */
export async function countAttempt(trx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await updateUsable(trx, id)
    .set({ failed_attempts: sql<number>`failed_attempts + 1` })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
