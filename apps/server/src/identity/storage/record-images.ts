import { accessScopeOf } from '@reachout/contract/abilities.ts';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import {
  imageKinds,
  recordImages,
  type DrawnBucket,
  type LogoKind,
} from '@reachout/contract/rules/storage.ts';
import { forbidden, notFound, notSignedIn, orNotFound } from '../../platform/http/api-error.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { writeAuditEntry } from '../access/audit.ts';
import { authorizeRequest, getMembership, type Access, type Membership } from '../access/membership.ts';
import type { Caller, RequestOrigin } from '../access/caller.ts';
import { denyBeyondScope, limitedTransaction } from '../access/limited-transaction.ts';
import { findAvatar, lockAvatar, updateUser } from '../auth/users/user.queries.ts';
import { findQuota } from '../organizations/quotas.ts';
import {
  findColleaguesAvatar,
  findRecord,
  findRecordOf,
  listAllLogoUrls,
  listLogoUrls,
  lockLogo,
} from './storage.queries.ts';
import type { Upload } from './store-image.ts';
import { urlOf, type ImageTarget, type StoredPath } from './stored-path.ts';

/** Maximum files of one user: the avatar, and leftovers of interrupted uploads. */
const maxAvatars = 200;

type Logo = (typeof recordImages)[LogoKind];

/** The functions of the modules that have logos; they set the file that the record shows, or none. */
export type UpdateLogos = Readonly<
  Record<
    Logo['table'],
    (trx: Transaction, id: string, changes: Partial<Record<Logo['column'], string | null>>) => Promise<void>
  >
>;

export interface RecordImageDeps {
  db: Database;
  access: Access;
  updateLogo: UpdateLogos;
}

interface Who {
  caller: Caller | undefined;
  origin: RequestOrigin;
}

/** An authorized change of the image that a record shows. */
interface ImageChange extends Pick<Upload, 'ownerId' | 'findUse'> {
  userId: string;
  /**
   * Replaces the URL in the row and returns the previous one.
   * @param expected  what the previous one must be: if it is another one, 404
   */
  replace: (url: string | null, expected?: string) => Promise<string | null>;
}

/**
 * Authorizes a change of the image that a record shows.
 * @param deny  what is thrown if the record is deleted, or beyond the access scope
 * @throws 401, 404, 403 as operations do; 403 for API keys that ask for an avatar
 */
export const authorizeChange = async (
  deps: RecordImageDeps,
  who: Who,
  target: ImageTarget,
  deny: (subject: Logo['subject']) => Error = notFound,
): Promise<ImageChange> =>
  target.kind === 'avatar' ? changeAvatar(deps, who) : await changeLogo(deps, who, target, deny);

function changeAvatar({ db }: RecordImageDeps, { caller }: Who): ImageChange {
  const { userId } = requirePerson(caller);
  const run = <T>(work: (trx: Transaction) => Promise<T>) => limitedTransaction(db, { userId }, work);
  return {
    userId,
    ownerId: userId,
    findUse: () => run(async (trx) => ({ maxFiles: maxAvatars, referred: [await findAvatar(trx, userId)] })),
    replace: (url, expected) =>
      run(async (trx) => {
        const before = await lockAvatar(trx, userId);
        if (expected !== undefined && before !== expected) throw notFound();
        await updateUser(trx, userId, { avatar_url: url });
        return before;
      }),
  };
}

async function changeLogo(
  { db, access, updateLogo }: RecordImageDeps,
  { caller, origin }: Who,
  { kind, id }: Exclude<ImageTarget, { kind: 'avatar' }>,
  deny: (subject: Logo['subject']) => Error,
): Promise<ImageChange> {
  const { table, column, subject } = recordImages[kind];
  const who = await authorizeRequest(access, {
    caller,
    record: [table, id],
    requiredPermissions: [['update', subject]],
    isUnsafe: true,
  });
  const { organizationId, userId } = who;
  const getRecord = async (trx: Transaction) => {
    const record = await findRecord(trx, kind, id);
    if (record === undefined) throw deny(subject);
    return record;
  };
  await limitedTransaction(db, who, getRecord);
  return {
    userId,
    ownerId: organizationId,
    // Without the access scope: the folder has the files of all records.
    findUse: () =>
      limitedTransaction(db, { userId, organizationId }, async (trx) => ({
        maxFiles: (await findQuota(trx, organizationId, 'images')).limit,
        referred: await listAllLogoUrls(trx),
      })),
    replace: (url, expected) =>
      limitedTransaction(db, who, async (trx) => {
        const before = await lockLogo(trx, kind, id);
        const { name } = await getRecord(trx);
        if (expected !== undefined && before !== expected) throw notFound();
        await updateLogo[table](trx, id, { [column]: url });
        await writeAuditEntry(trx, { ...who, origin }, `storage.${url === null ? 'delete' : 'upload'}`, {
          record_type: table,
          record_id: id,
          record_name: name,
          details: { fields: [column] },
        });
        return before;
      }).catch(denyBeyondScope(who, ['update', subject])),
  };
}

/**
 * Finds what shows an image, if the caller may see it. All members see the logo of the organization, and the avatars of each
 * other; the logo of a client or brand requires a read permission that covers it.
 * @throws 401; 403 for API keys that ask for an avatar; 404 for all other callers, and for files that are not referenced
 */
export async function getReadable(
  { db, access }: RecordImageDeps,
  caller: Caller | undefined,
  stored: StoredPath<DrawnBucket>,
): Promise<ImageTarget> {
  if (stored.bucket === 'avatars') {
    const { userId } = requirePerson(caller);
    const avatar = await limitedTransaction(db, { userId }, (trx) =>
      stored.ownerId === userId ? findAvatar(trx, userId) : findColleaguesAvatar(trx, stored.ownerId),
    );
    if (avatar !== urlOf(stored)) throw notFound();
    return { kind: 'avatar' };
  }
  if (caller === undefined) throw notSignedIn();
  const membership = await getMembership(access, caller, 'organizations', stored.ownerId);
  const findWithin = async (accessScope: AccessScope) => {
    return orNotFound(
      await withAccessScope(db, caller, membership, accessScope, (trx) => findRecordOf(trx, urlOf(stored))),
    );
  };
  const record = await findWithin('all');
  const accessScope = readAccessScope(membership, record.kind);
  return accessScope === 'all' ? record : await findWithin(accessScope);
}

/** The URLs of the images in a folder that the caller may see. @throws 401, 403, 404 */
export async function listReadable(
  { db, access }: RecordImageDeps,
  caller: Caller | undefined,
  { bucket, ownerId }: StoredPath<DrawnBucket>,
): Promise<(string | null)[]> {
  if (bucket === 'avatars') {
    const { userId } = requirePerson(caller);
    if (ownerId !== userId) throw notFound();
    return [await limitedTransaction(db, { userId }, (trx) => findAvatar(trx, userId))];
  }
  if (caller === undefined) throw notSignedIn();
  const membership = await getMembership(access, caller, 'organizations', ownerId);
  const urls: (string | null)[] = [];
  for (const kind of imageKinds) {
    if (kind === 'avatar') continue;
    const accessScope = readAccessScope(membership, kind);
    const list = (trx: Transaction) => listLogoUrls(trx, kind);
    urls.push(...((await withAccessScope(db, caller, membership, accessScope, list)) ?? []));
  }
  return urls;
}

/** Avatars belong to users; an API key acts for its organization. @throws 401, 403 */
export function requirePerson(caller: Caller | undefined): Caller {
  if (caller === undefined) throw notSignedIn();
  if (caller.apiKey !== undefined) throw forbidden('read', 'all');
  return caller;
}

function readAccessScope({ rules, scopeRules, organizationId }: Membership, kind: LogoKind): AccessScope {
  // Every member sees the organization's logo, regardless of the role.
  if (kind === 'organizationLogo') return 'all';
  const { subject } = recordImages[kind];
  const accessScope = (given: typeof rules) => accessScopeOf(given, 'read', subject, organizationId);
  return scopeRules !== undefined && accessScope(scopeRules) === 'nothing' ? 'nothing' : accessScope(rules);
}

/** @returns undefined if the scope is `nothing` */
async function withAccessScope<T>(
  db: Database,
  { userId }: Caller,
  { organizationId }: Membership,
  scope: AccessScope,
  work: (trx: Transaction) => Promise<T>,
): Promise<T | undefined> {
  if (scope === 'nothing') return undefined;
  const accessScope = scope === 'all' ? undefined : scope;
  return await limitedTransaction(db, { userId, organizationId, accessScope }, work);
}
