import type { SharedItem } from '@reachout/contract/content-shares.ts';
import type { Item } from '@reachout/contract/content.ts';
import { isForAdministrators, readsAllContent } from '@reachout/contract/rules/shares.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { RateLimits } from '../../identity/access/rate-limits.ts';
import type { PasswordHasher } from '../../identity/auth/passwords/password-hash.ts';
import { isReadable } from '../../identity/organizations/is-open.ts';
import { lockRoleRules } from '../../identity/roles/role-grant.ts';
import { invalidInput, notFound, tooManyRecords } from '../../platform/http/api-error.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { createBuiltInBackend } from '../built-in/built-in-backend.ts';
import { isDirectusConnected } from '../directus/connection.queries.ts';
import {
  countShares,
  deleteExpiredShares,
  findShare,
  insertShare,
  useShare,
  type ShareRow,
} from './shares.queries.ts';
import { signShareToken, verifyShareToken } from './share-token.ts';

export interface ShareDeps {
  db: Database;
  secrets: Pick<Secrets, 'hash' | 'hashes'>;
  limits: RateLimits;
  passwords: PasswordHasher;
}

export interface NewShare {
  name: string | null;
  collection: string;
  item: string;
  role: string | null;
  date_start: string | null;
  date_end: string | null;
  max_uses: number | null;
}

/** Per organization. */
const maxShares = 1_000;
/** Lifetime of the token for an opened share. */
const openForMs = 15 * 60_000;

/**
 * Shares an item with everyone who has the id of the share. Readers get the permissions of `role`.
 * @param mustRead  rejects roles that do not read all content, whose shares nobody can open
 * @returns the id of the share
 * @throws 404; 422 on `role` if it does not exist or administers the organization; 409 `too_many_records`
 */
export async function createShare(
  trx: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
  { item, ...share }: NewShare,
  { passwordHash, mustRead }: { passwordHash: string | null; mustRead: boolean },
): Promise<string> {
  await createBuiltInBackend(trx, { organizationId, userId }).getItem(share.collection, item);
  await checkRole(trx, organizationId, share.role, { mustRead });
  await deleteExpiredShares(trx, organizationId);
  if ((await countShares(trx, organizationId)) >= maxShares) throw tooManyRecords(maxShares);
  const id = newId();
  await insertShare(trx, organizationId, {
    ...share,
    id,
    item_id: item,
    password_hash: passwordHash,
    user_created: userId,
  });
  return id;
}

async function checkRole(
  trx: Transaction,
  organizationId: string,
  role: string | null,
  { mustRead }: { mustRead: boolean },
): Promise<void> {
  if (role === null) return;
  const rules = await lockRoleRules(trx, organizationId, role, []);
  if (rules === undefined) throw invalidInput('role', 'There is no such role.');
  if (isForAdministrators(rules))
    throw invalidInput('role', 'Shares can only use roles that do not administer the organization.');
  if (mustRead && !readsAllContent(rules, organizationId))
    throw invalidInput('role', 'Choose a role that reads all content.');
}

/** Finds a share that can be opened now. */
export async function describeShare(
  trx: Transaction,
  organizationId: string,
  { id, now }: { id: string; now: Date },
): Promise<ShareRow | undefined> {
  const share = await findReadableShare(trx, organizationId, id);
  return share !== undefined && isOpen(share, now) && !isUsedUp(share) ? share : undefined;
}

const isUsedUp = ({ max_uses, times_used }: ShareRow): boolean => max_uses !== null && times_used >= max_uses;

interface Opening {
  id: string;
  password: string | undefined;
  ipPrefix: string;
  now: Date;
}

/**
 * Opens a share. Attempts with a password are rate limited; each success counts as a use.
 * @returns the token for reading; undefined for a share that is unknown, not yet or no longer open, or used up, and for a
 *   wrong password, so that callers cannot tell these apart
 * @throws 429 `too_many_attempts`
 */
export async function openShare(
  deps: ShareDeps,
  organizationId: string,
  opening: Opening,
): Promise<{ token: string; expiresMs: number } | undefined> {
  const share = await countOpening(deps, organizationId, opening);
  if (share === undefined) return undefined;
  const expiresAt = new Date(opening.now.getTime() + openForMs);
  return {
    token: signShareToken(deps.secrets, { organizationId, shareId: share.id, expiresAt }),
    expiresMs: openForMs,
  };
}

/**
 * Like `openShare`, for people: reads the item at once, without hidden fields and those that the server sets.
 * @returns undefined as there, and if the role may not read the item
 * @throws 404 for an item that is deleted
 */
export async function openSharedItem(
  deps: ShareDeps,
  organizationId: string,
  opening: Opening,
): Promise<SharedItem | undefined> {
  const share = await countOpening(deps, organizationId, opening);
  return (
    share &&
    (await limitedTransaction(deps.db, { organizationId }, async (trx) => {
      if (!(await mayRead(trx, organizationId, share))) return undefined;
      return { name: share.name, ...(await readShown(trx, organizationId, share)) };
    }))
  );
}

async function countOpening(
  deps: ShareDeps,
  organizationId: string,
  { id, password, ipPrefix, now }: Opening,
): Promise<ShareRow | undefined> {
  const run = <T>(work: (trx: Transaction) => Promise<T>) =>
    limitedTransaction(deps.db, { organizationId }, work);
  const share = await run((trx) => describeShare(trx, organizationId, { id, now }));
  if (share === undefined) return undefined;
  if (share.password_hash !== null) {
    if (password === undefined) return undefined;
    const attempt = ['share_passwords', id] as const;
    await deps.limits.count(attempt);
    if (!(await deps.passwords.verify(ipPrefix, { hash: share.password_hash, password }))) return undefined;
    await deps.limits.refund(attempt);
  }
  return (await run((trx) => useShare(trx, organizationId, id))) ? share : undefined;
}

/** While a Directus is connected, members see no shares, so none is open. */
const findReadableShare = async (trx: Transaction, organizationId: string, id: string) =>
  (await isReadable(trx)) && !(await isDirectusConnected(trx, organizationId))
    ? await findShare(trx, organizationId, id)
    : undefined;

const isOpen = ({ date_start: start, date_end: end }: ShareRow, now: Date): boolean =>
  (start === null || new Date(start) <= now) && (end === null || new Date(end) > now);

/** Why a token is rejected. */
export type Refusal = 'unknown' | 'expired';

/** Finds the current state of the share that a token was issued for. */
export async function findOpenShare(
  { db, secrets }: Pick<ShareDeps, 'db' | 'secrets'>,
  organizationId: string,
  { token, now }: { token: string; now: Date },
): Promise<ShareRow | Refusal> {
  const verified = verifyShareToken(secrets, organizationId, token);
  if (verified === undefined) return 'unknown';
  if (verified.expiresAt <= now) return 'expired';
  const share = await limitedTransaction(db, { organizationId }, (trx) =>
    findReadableShare(trx, organizationId, verified.shareId),
  );
  if (share === undefined) return 'unknown';
  return isOpen(share, now) ? share : 'expired';
}

/**
 * Reads the item with the permissions of the share's role, without hidden fields and those that the server sets.
 * @throws 404, also if the role may not read all content
 */
export const readSharedItem = (
  { db }: Pick<ShareDeps, 'db'>,
  organizationId: string,
  share: ShareRow,
): Promise<Item> =>
  limitedTransaction(db, { organizationId }, async (trx) => {
    if (!(await mayRead(trx, organizationId, share))) throw notFound();
    return (await readShown(trx, organizationId, share)).item;
  });

/** Reads what a share shows of its item. @throws 404 for an item that is deleted */
async function readShown(
  trx: Transaction,
  organizationId: string,
  { collection, item_id }: ShareRow,
): Promise<Pick<SharedItem, 'fields' | 'item'>> {
  const backend = createBuiltInBackend(trx, { organizationId, userId: null });
  const item = await backend.getItem(collection, item_id);
  const fields = (await backend.listFields(collection))
    .filter(({ hidden, readonly }) => !hidden && !readonly)
    .map(({ field, label, type, sort }) => ({ field, label, type, sort }));
  const values = fields.map(({ field }) => [field, item[field] ?? null] as const);
  return { fields, item: Object.fromEntries(values) };
}

async function mayRead(
  trx: Transaction,
  organizationId: string,
  { role }: Pick<ShareRow, 'role'>,
): Promise<boolean> {
  const rules = role === null ? undefined : await lockRoleRules(trx, organizationId, role, []);
  return rules !== undefined && readsAllContent(rules, organizationId);
}
