import { writeAuditEntry } from '../access/audit.ts';
import { authorizeRequest } from '../access/authorize-request.ts';
import type { Caller, RequestOrigin } from '../access/caller.ts';
import { type Access, organizationSuspended, requireAccessScope } from '../access/membership.ts';
import { denyBeyondScope, limitedTransaction } from '../access/limited-transaction.ts';
import { forbidden, notFound } from '../../platform/http/api-error.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import { findQuota } from '../organizations/quotas.ts';
import { getReadableLogo, subjectOf } from './read-stored.ts';
import type { Uploader } from './receive-file.ts';
import { findRecord, findRecordOf, listAllLogoUrls, lockLogo } from './storage.queries.ts';
import { removeReplaced, storeImage } from './store-image.ts';
import type { LogoColumn, LogoKind, LogoTarget, StoredPath } from './stored-path.ts';

/** Sets the file that the record shows, or none. */
type UpdateLogo<Column extends LogoColumn> = (
  trx: Transaction,
  id: string,
  changes: Partial<Record<Column, string | null>>,
) => Promise<void>;

/** The functions of the modules that have logos. */
export type UpdateLogos = Readonly<
  Record<Exclude<LogoKind, 'brands'>, UpdateLogo<'logo_url'>> & { brands: UpdateLogo<LogoColumn> }
>;

interface Deps {
  db: Database;
  access: Access;
  files: FileStore;
  log: Log;
  updateLogo: UpdateLogos;
}

interface Who {
  caller: Caller | undefined;
  origin: RequestOrigin;
}

/**
 * Uploads the logo of an organization, client or brand.
 * @param receive  reads the image, once the upload is authorized
 * @throws 401, 404, 403 as operations do; errors of `receive` and `storeImage`
 */
export async function uploadLogo(
  { db, access, files, log, updateLogo }: Deps,
  { caller, origin }: Who,
  target: LogoTarget,
  receive: (uploader: Uploader) => Promise<Buffer>,
): Promise<StoredPath> {
  const { kind, id } = target;
  const who = await authorizeRequest(access, {
    caller,
    record: [kind, id],
    requiredPermissions: [['update', subjectOf[kind]]],
    isUnsafe: true,
  });
  const { organizationId, userId } = who;
  const isThere = await limitedTransaction(db, who, (trx) => findRecord(trx, target));
  if (isThere === undefined) throw notFound();
  return await storeImage(files, log, {
    bucket: 'logos',
    ownerId: organizationId,
    image: await receive({ userId, ownerId: organizationId }),
    findMaxFiles: () =>
      limitedTransaction(db, { userId, organizationId }, async (trx) => {
        const { limit } = await findQuota(trx, organizationId, 'images');
        return limit;
      }),
    listReferred: () => limitedTransaction(db, { userId, organizationId }, listAllLogoUrls),
    refer: (url) =>
      limitedTransaction(db, who, async (trx) => {
        const before = await lockLogo(trx, target);
        const record = await findRecord(trx, target);
        if (record === undefined) throw notFound();
        await setLogo(updateLogo, trx, target, url);
        await writeAuditEntry(trx, { ...who, origin }, 'storage.upload', auditNoteOf(record));
        return before;
      }).catch(denyBeyondScope(who, ['update', subjectOf[kind]])),
  });
}

/** @throws 401; 404 if the caller may not see the logo; 403 */
export async function deleteLogo(
  { db, access, files, log, updateLogo }: Deps,
  { caller, origin }: Who,
  stored: StoredPath,
): Promise<void> {
  const { record, membership } = await getReadableLogo({ db, access }, caller, stored);
  const { kind } = record;
  const accessScope = requireAccessScope(membership, ['update', subjectOf[kind]]);
  if (membership.status === 'suspended') throw organizationSuspended();
  const { userId, apiKey } = caller!;
  const who = { userId, apiKey, organizationId: membership.organizationId, origin };
  const actor = { ...who, accessScope: accessScope === 'all' ? undefined : accessScope };
  await limitedTransaction(db, actor, async (trx) => {
    // The caller may see the record, but not change it.
    if ((await findRecord(trx, record)) === undefined) throw forbidden('update', subjectOf[kind]);
    await lockLogo(trx, record);
    if ((await findRecordOf(trx, stored.url)) === undefined) throw notFound();
    await setLogo(updateLogo, trx, record, null);
    await writeAuditEntry(trx, who, 'storage.delete', auditNoteOf(record));
  }).catch(denyBeyondScope(actor, ['update', subjectOf[kind]]));
  await removeReplaced(files, log, stored.url);
}

const setLogo = (
  update: UpdateLogos,
  trx: Transaction,
  { kind, id, column }: LogoTarget,
  url: string | null,
): Promise<void> =>
  kind === 'brands'
    ? update.brands(trx, id, column === 'logo_url' ? { logo_url: url } : { dark_logo_url: url })
    : update[kind](trx, id, { logo_url: url });

const auditNoteOf = ({ kind, id, name, column }: LogoTarget & { name: string }) => ({
  record_type: kind,
  record_id: id,
  record_name: name,
  details: { fields: [column] },
});
