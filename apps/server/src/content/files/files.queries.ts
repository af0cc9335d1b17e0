import { sql } from 'kysely';
import { firstRowOf, type Database, type Row, type Transaction } from '../../platform/database/database.ts';
import { containsPattern, countRows, onPage } from '../../platform/database/list-page.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { FileList, ShownFile } from '../backend/content-files.ts';
import type { SystemRows } from '../built-in/system-rows.queries.ts';

/**
 * `bytes_id` is that of its bytes in the file store: others when it is replaced. `type` was detected from the first bytes.
 */
export type FileRow = Omit<Row<'content_files'>, 'organization_id' | 'date_created'>;

/** Where a file is, in the folder of its organization. */
export type FilePlace = Row<'content_files', 'bucket' | 'path'>;

/** Names a file by its id, or by its place. */
export type FileKey = { id: string } | FilePlace;

const hasKey = (key: FileKey) =>
  'id' in key
    ? sql<boolean>`content_files.id = ${key.id}`
    : sql<boolean>`(bucket, path) = (${key.bucket}, ${key.path})`;

export const findFile = (
  trx: Transaction,
  organizationId: string,
  key: FileKey,
  { isLocked = false } = {},
): Promise<Omit<FileRow, 'user_created' | 'path'> | undefined> =>
  trx
    .selectFrom('content_files')
    .select([
      'id',
      'bytes_id',
      'filename_download',
      'title',
      'bucket',
      'type',
      'filesize',
      'brand_id',
      'public_key',
    ])
    .where('organization_id', '=', organizationId)
    .where(hasKey(key))
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();

const shown = [
  'id',
  'filename_download',
  'type',
  'filesize',
  'date_created',
  'public_key',
  'bucket',
  'path',
] as const;

/** A deleted brand is not shown; restored, it has its files again. */
const currentBrand = sql<string | null>`
  (select b.id from current_brands b where b.id = content_files.brand_id)
`.as('brand_id');

export async function listFiles(
  trx: Transaction,
  organizationId: string,
  { search, isImage, brand_id, ...page }: FileList,
): Promise<{ items: ShownFile[]; count: number }> {
  const matching = trx
    .selectFrom('content_files')
    .where('organization_id', '=', organizationId)
    .$if(isImage, (query) => query.where('bucket', '=', 'images'))
    .$if(brand_id !== undefined, (query) => query.where('brand_id', '=', brand_id ?? null))
    .$if(search !== undefined, (query) =>
      query.where('filename_download', 'ilike', containsPattern(search ?? '')),
    );
  const items = await matching.select(shown).select(currentBrand).$call(onPage(page)).execute();
  return { items, count: await countRows(matching) };
}

/** @throws 404 */
export const getFile = (trx: Transaction, organizationId: string, id: string): Promise<ShownFile> =>
  trx
    .selectFrom('content_files')
    .select(shown)
    .select(currentBrand)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound);

/** Replaces the file of this id in its row, so that a concurrent change or deletion finds it. */
export async function putFile(trx: Transaction, organization_id: string, file: FileRow): Promise<void> {
  await trx
    .insertInto('content_files')
    .values({ organization_id, ...file })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'id']).doUpdateSet({ ...file, date_created: sql<string>`now()` }),
    )
    .execute();
}

/**
 * @param bytesId  that the file must still have, if given
 * @returns false when there is no such file
 */
export async function updateFile(
  trx: Transaction,
  organizationId: string,
  id: string,
  changes: Partial<Pick<FileRow, 'title' | 'filename_download' | 'brand_id'> & Pick<ShownFile, 'public_key'>>,
  bytesId?: string,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('content_files')
    // `id` keeps the `set` clause from being empty.
    .set({ id, ...changes })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .$if(bytesId !== undefined, (query) => query.where('bytes_id', '=', bytesId!))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Files in a folder and below it; an empty path is the folder of the organization. */
export async function listFilesAt(
  trx: Transaction,
  organizationId: string,
  { bucket, path }: FilePlace,
  { search, page, page_size }: { search?: string | undefined; page: number; page_size: number },
) {
  const matching = trx
    .selectFrom('content_files')
    .where('organization_id', '=', organizationId)
    .where('bucket', '=', bucket)
    .$if(path !== '', (query) => query.where(sql<boolean>`starts_with(path, ${`${path}/`})`))
    .$if(search !== undefined, (query) => query.where('path', 'ilike', containsPattern(search ?? '')));
  const items = await matching
    .select(['path', 'filename_download', 'type', 'filesize', 'date_created', 'public_key'])
    .orderBy('path')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  return { items, count: await countRows(matching) };
}

/** @returns what was deleted */
export const deleteFile = (trx: Transaction, organizationId: string, key: FileKey) =>
  trx
    .deleteFrom('content_files')
    .where('organization_id', '=', organizationId)
    .where(hasKey(key))
    .returning(['id', 'bytes_id', 'filename_download'])
    .executeTakeFirst();

/** Finds a public image for readers of emails, who are not signed in. */
export const findPublicImage = (db: Database, key: string) => firstRowOf<{
  organization_id: string;
  bytes_id: string;
  type: string;
}>(db)`
  select * from public_image(${key})
`;

/** The file of a signed address, for its bearer, who may not be signed in. */
export const findSignedFile = (
  db: Database,
  { organizationId, bytesId }: { organizationId: string; bytesId: string },
) => firstRowOf<Pick<FileRow, 'bucket' | 'filename_download' | 'type' | 'filesize'>>(db)`
  select * from signed_file(${organizationId}::uuid, ${bytesId}::uuid)
`;

/** The number of files of an organization, and their total size in bytes. */
export async function sumFiles(
  trx: Transaction,
  organizationId: string,
): Promise<{ count: number; bytes: number }> {
  const { count, bytes } = await trx
    .selectFrom('content_files')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(filesize), 0)::bigint`.as('bytes'),
    ])
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return { count, bytes };
}

/** Files in the form that Directus returns. */
export const fileRows = (organizationId: string): SystemRows => ({
  fields: [
    { name: 'filename_download', type: 'string' },
    { name: 'title', type: 'string' },
    { name: 'type', type: 'string' },
    { name: 'filesize', type: 'integer' },
    { name: 'uploaded_by', type: 'uuid' },
    { name: 'uploaded_on', type: 'timestamp' },
  ],
  rows: sql`
    select f.id::text as id, f.user_created, f.date_created, f.date_created as date_updated,
      jsonb_build_object('filename_download', f.filename_download, 'title', f.title, 'type', f.type,
        'filesize', f.filesize, 'uploaded_by', f.user_created,
        'uploaded_on', to_char(f.date_created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as data
    from content_files f
    where f.organization_id = ${organizationId}`,
});
