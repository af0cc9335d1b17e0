import type { SharedItem } from '@reachout/contract/content-shares.ts';
import type { Item } from '@reachout/contract/content.ts';
import { isForAdministrators, readsAllContent } from '@reachout/contract/rules/shares.ts';
import { visitorTransaction } from '../../identity/access/limited-transaction.ts';
import type { RateLimits } from '../../identity/access/rate-limits.ts';
import type { PasswordHasher } from '../../identity/auth/passwords/password-hash.ts';
import { isReadable } from '../../identity/organizations/is-open.ts';
import { lockRoleRules } from '../../identity/roles/role-grant.ts';
import { invalidInput, tooManyRecords } from '../../platform/http/api-error.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { createBuiltInBackend } from '../built-in/built-in-backend.ts';
import { findItem } from '../built-in/items.queries.ts';
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

type Shown = Pick<SharedItem, 'fields' | 'item'>;

/** Finds a share that can be opened now, with what it shows; its item exists, and its role reads it. */
export async function findUsableShare(
  trx: Transaction,
  organizationId: string,
  { id, now }: { id: string; now: Date },
): Promise<{ share: ShareRow; shown: Shown } | undefined> {
  const share = await findReadableShare(trx, organizationId, id);
  if (share === undefined || !isOpen(share, now) || isUsedUp(share)) return undefined;
  const shown = await readShown(trx, organizationId, share);
  return shown && { share, shown };
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
 * @returns the token for reading; undefined for a share that is unknown, not yet or no longer open, used up, or shows
 *   nothing, and for a wrong password, so that callers cannot tell these apart
 * @throws 429 `too_many_attempts`
 */
export async function openShare(
  deps: ShareDeps,
  organizationId: string,
  opening: Opening,
): Promise<{ token: string; expiresMs: number } | undefined> {
  const opened = await countOpening(deps, organizationId, opening);
  if (opened === undefined) return undefined;
  const expiresAt = new Date(opening.now.getTime() + openForMs);
  return {
    token: signShareToken(deps.secrets, { organizationId, shareId: opened.share.id, expiresAt }),
    expiresMs: openForMs,
  };
}

/** Like `openShare`, for people: returns the item at once. */
export async function openSharedItem(
  deps: ShareDeps,
  organizationId: string,
  opening: Opening,
): Promise<SharedItem | undefined> {
  const opened = await countOpening(deps, organizationId, opening);
  return opened && { name: opened.share.name, ...opened.shown };
}

/** Counts one use, in the transaction that reads what the share shows: none is spent on nothing. */
async function countOpening(
  deps: ShareDeps,
  organizationId: string,
  { id, password, ipPrefix, now }: Opening,
): Promise<{ share: ShareRow; shown: Shown } | undefined> {
  const run = <T>(work: (trx: Transaction) => Promise<T>) =>
    visitorTransaction(deps.db, organizationId, work);
  const found = await run((trx) => findUsableShare(trx, organizationId, { id, now }));
  if (found === undefined) return undefined;
  const { password_hash: hash } = found.share;
  if (hash !== null) {
    if (password === undefined) return undefined;
    const attempt = ['share_passwords', id] as const;
    await deps.limits.count(attempt);
    if (!(await deps.passwords.verify(ipPrefix, { hash, password }))) return undefined;
    await deps.limits.refund(attempt);
  }
  return await run(async (trx) => {
    const usable = await findUsableShare(trx, organizationId, { id, now });
    return usable !== undefined && (await useShare(trx, organizationId, id)) ? usable : undefined;
  });
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
  const share = await visitorTransaction(db, organizationId, (trx) =>
    findReadableShare(trx, organizationId, verified.shareId),
  );
  if (share === undefined) return 'unknown';
  return isOpen(share, now) ? share : 'expired';
}

/** Reads the item as the share shows it. @returns undefined as `readShown` */
export const readSharedItem = (
  { db }: Pick<ShareDeps, 'db'>,
  organizationId: string,
  share: ShareRow,
): Promise<Item | undefined> =>
  visitorTransaction(db, organizationId, async (trx) => (await readShown(trx, organizationId, share))?.item);

/**
 * Reads the item with the permissions of the share's role, without hidden fields and those that the server sets.
 * @returns undefined if the item is deleted, or the role may not read all content
 */
async function readShown(
  trx: Transaction,
  organizationId: string,
  { collection, item_id, role }: ShareRow,
): Promise<Shown | undefined> {
  if (!(await canRead(trx, organizationId, role))) return undefined;
  if ((await findItem(trx, { organizationId, collection, id: item_id })) === undefined) return undefined;
  const backend = createBuiltInBackend(trx, { organizationId, userId: null });
  const item = await backend.getItem(collection, item_id);
  const fields = (await backend.listFields(collection))
    .filter(({ hidden, readonly }) => !hidden && !readonly)
    .map(({ field, label, type, sort }) => ({ field, label, type, sort }));
  const values = fields.map(({ field }) => [field, item[field] ?? null] as const);
  return { fields, item: Object.fromEntries(values) };
}

async function canRead(trx: Transaction, organizationId: string, role: string | null): Promise<boolean> {
  const rules = role === null ? undefined : await lockRoleRules(trx, organizationId, role, []);
  return rules !== undefined && readsAllContent(rules, organizationId);
}
