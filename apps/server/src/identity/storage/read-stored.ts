import { accessScopeOf, type Subject } from '@reachout/contract/abilities.ts';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import type { Caller } from '../access/caller.ts';
import { getMembership, type Access, type Membership } from '../access/membership.ts';
import { limitedTransaction } from '../access/limited-transaction.ts';
import { forbidden, notFound, notSignedIn } from '../../platform/http/api-error.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { FileStore, StoredFile } from '../../platform/files/file-store.ts';
import { findAvatar } from '../auth/users/user.queries.ts';
import { findRecordOf, listLogoUrls, findColleaguesAvatar, type LogoRecord } from './storage.queries.ts';
import { logoKinds, parseStoredUrl, type LogoKind, type StoredPath } from './stored-path.ts';

export const subjectOf = {
  organizations: 'Organization',
  clients: 'Client',
  brands: 'Brand',
} as const satisfies Record<LogoKind, Subject>;

/**
 * @returns the record whose logo this is, if the caller may see it: all members see the organization's logo; the logo
 *   of a client or brand requires a read permission that covers it
 * @throws 401; 404 for all other callers, and for files that are not referenced
 */
export async function getReadableLogo(
  { db, access }: { db: Database; access: Access },
  caller: Caller | undefined,
  stored: StoredPath,
): Promise<{ record: LogoRecord; membership: Membership }> {
  if (caller === undefined) throw notSignedIn();
  const membership = await getMembership(access, caller, 'organizations', stored.ownerId);
  const record = await withAccessScope(db, caller, membership, 'all', (trx) => findRecordOf(trx, stored.url));
  if (record === undefined) throw notFound();
  const accessScope = readAccessScope(membership, record.kind);
  if (accessScope === 'nothing') throw notFound();
  if (accessScope === 'all') return { record, membership };
  const seen = await withAccessScope(db, caller, membership, accessScope, (trx) =>
    findRecordOf(trx, stored.url),
  );
  if (seen === undefined) throw notFound();
  return { record, membership };
}

/** @throws 401; 403 for API keys; 404 unless it is the avatar of the caller, or of a member of the same organization */
export async function requireReadableAvatar(
  db: Database,
  caller: Caller | undefined,
  stored: StoredPath,
): Promise<void> {
  const { userId } = requirePerson(caller);
  const url = await limitedTransaction(db, { userId }, (trx) =>
    stored.ownerId === userId ? findAvatar(trx, userId) : findColleaguesAvatar(trx, stored.ownerId),
  );
  if (url !== stored.url) throw notFound();
}

/** The logos in an organization's folder that the caller may see. @throws 401, 404 */
export async function listReadableLogos(
  { db, access, files }: { db: Database; access: Access; files: FileStore },
  caller: Caller | undefined,
  organizationId: string,
): Promise<StoredFile[]> {
  if (caller === undefined) throw notSignedIn();
  const membership = await getMembership(access, caller, 'organizations', organizationId);
  const shown = new Set<string | undefined>();
  for (const kind of logoKinds) {
    const accessScope = readAccessScope(membership, kind);
    if (accessScope === 'nothing') continue;
    const urls = await withAccessScope(db, caller, membership, accessScope, (trx) => listLogoUrls(trx, kind));
    for (const url of urls) shown.add(parseStoredUrl(url)?.path);
  }
  const found = await files.list(`logos/${organizationId}`);
  return found.filter(({ name }) => shown.has(`${organizationId}/${name}`));
}

/** The files in the caller's own avatar folder: at most one. @throws 401, 403; 404 for other folders */
export async function listReadableAvatars(
  { db, files }: { db: Database; files: FileStore },
  caller: Caller | undefined,
  ownerId: string,
): Promise<StoredFile[]> {
  const { userId } = requirePerson(caller);
  if (ownerId !== userId) throw notFound();
  const avatarUrl = await limitedTransaction(db, { userId }, (trx) => findAvatar(trx, userId));
  const shown = parseStoredUrl(avatarUrl ?? null)?.path;
  const found = await files.list(`avatars/${userId}`);
  return found.filter(({ name }) => `${userId}/${name}` === shown);
}

/** Avatars belong to users; an API key acts for its organization. @throws 401, 403 */
export function requirePerson(caller: Caller | undefined): Caller {
  if (caller === undefined) throw notSignedIn();
  if (caller.apiKey !== undefined) throw forbidden('read', 'all');
  return caller;
}

function readAccessScope({ rules, scopeRules, organizationId }: Membership, kind: LogoKind): AccessScope {
  // Every member sees the organization's logo, regardless of the role.
  if (kind === 'organizations') return 'all';
  const accessScope = (given: typeof rules) => accessScopeOf(given, 'read', subjectOf[kind], organizationId);
  return scopeRules !== undefined && accessScope(scopeRules) === 'nothing' ? 'nothing' : accessScope(rules);
}

const withAccessScope = <T>(
  db: Database,
  { userId }: Caller,
  { organizationId }: Membership,
  accessScope: Exclude<AccessScope, 'nothing'>,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> =>
  limitedTransaction(
    db,
    { userId, organizationId, accessScope: accessScope === 'all' ? undefined : accessScope },
    work,
  );
