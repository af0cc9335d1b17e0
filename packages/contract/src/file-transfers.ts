import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { ContentFile } from './content-files.ts';
import { ImportDetails, ImportSettings } from './content-imports.ts';
import { pickErrors } from './errors.ts';
import {
  memberOperations,
  publicOperations,
  tooManyAttempts,
  tooManyRecords,
  userOperations,
} from './operation.ts';
import { quotaErrors } from './organizations.ts';
import {
  bucketNames,
  buckets,
  imageKinds,
  maxFileBytes,
  maxImportBytes,
  recordImages,
  uploadPathOf,
  type ImageKind,
} from './rules/storage.ts';
import { documented, id, list, paging, search, timestamp } from './values.ts';

const megabytes = (bytes: number) => `At most ${bytes / 1_000_000} MB.`;

/** The bytes of a file, in a form or as the body. */
const fileBytes = (contentMediaType = 'application/octet-stream', description?: string) =>
  z.string().register(documented, { contentMediaType, ...(description && { description }) });

const isUpload = { isPlainRoute: true, successStatus: 201 } as const;
const inContent = memberOperations('Content', 'organization_id');
/** Images of records have permissions of their own: `recordImages`. */
const inStorage = memberOperations('Storage', 'organization_id');

const bucket = z.enum(bucketNames);
const storedAt = z.object({
  bucket,
  path: z.string().register(documented, {
    description:
      '`{organization_id}/{folders}/{name}`: at most 5 segments below the organization, each of at most 200 letters, digits, `.`, `_`, `-` and blanks, and 2,000 bytes of UTF-8 in all. In `avatars` and `logos`, the server chooses the path.',
  }),
});

const flag = z.enum(['true', 'false']);
export const uploadOptions = z.strictObject({
  upsert: flag.optional().register(documented, { description: 'Whether a file at this path is replaced.' }),
  public: flag.optional().register(documented, {
    description: 'Only in `images`: whether everyone with its public address sees the image.',
  }),
  brand_id: id.optional().register(documented, {
    description: 'The brand whose library it is added to; by default, that of a replaced file.',
  }),
});

const Uploaded = z.object({
  bucket,
  path: z.string(),
  url: z.string(),
  /** Not of avatars and logos. */
  public_url: z.string().nullable().optional(),
});
export type Uploaded = z.infer<typeof Uploaded>;

export const fileListing = z.strictObject({
  prefix: z.string().optional().register(documented, {
    description:
      'A folder: `{organization_id}`, in `images` and `documents` also `{organization_id}/{folders}`. In `avatars`, your id, or nothing.',
  }),
  search,
  ...paging(10),
});
/** Which files to list: those whose path begins with the folder `prefix`. */
export type FileListing = z.infer<typeof fileListing>;

const FileList = list(
  z.object({
    /** Within the bucket. */
    path: z.string(),
    name: z.string(),
    bytes: z.int(),
    type: z.string(),
    updated_at: timestamp,
    public_url: z.string().nullable(),
  }),
);
export type FileList = z.infer<typeof FileList>;

const imageNames: Readonly<Record<ImageKind, string>> = {
  avatar: 'your avatar',
  organizationLogo: 'the logo of an organization',
  clientLogo: 'the logo of a client',
  brandLogo: 'the logo of a brand',
  darkLogo: 'the logo of a brand for dark backgrounds',
};

function imageUpload(kind: ImageKind) {
  const route = `POST /${uploadPathOf(kind, '{id}')}` as const;
  const summary = `Upload ${imageNames[kind]}`;
  const { table, subject } = recordImages[kind];
  const operation =
    table === 'users'
      ? userOperations('Storage')(route, summary, isUpload)
      : memberOperations('Storage', table)(route, summary, `update ${subject}`, isUpload);
  return operation
    .input(
      z.object({
        params: z.object(kind === 'avatar' ? {} : { id }),
        body: z.union([
          ...buckets.logos.types.map((type) => fileBytes(type)),
          z.object({ file: fileBytes(undefined, megabytes(buckets.logos.maxBytes)) }),
        ]),
      }),
    )
    .errors({ ...tooManyAttempts, ...pickErrors('invalid_image', 'storage_full', 'image_too_large') })
    .output(Uploaded);
}

/**
 * Uploads and downloads of files. They are declared like operations, but no part of the `contract`: they carry bytes, so plain
 * routes of the modules serve them.
 */
export const fileTransfers = {
  ...Object.fromEntries(
    imageKinds.map((kind) => [
      `storage.upload${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
      imageUpload(kind),
    ]),
  ),
  'storage.upload': inStorage('POST /storage/{bucket}/{path}', 'Upload a file', 'create Content', isUpload)
    .input(
      z.object({
        params: storedAt,
        query: uploadOptions,
        body: z.union([
          fileBytes(),
          fileBytes('image/*'),
          z.object({ file: fileBytes(undefined, megabytes(maxFileBytes)) }),
        ]),
      }),
    )
    .errors({
      ...backendFailed,
      ...quotaErrors,
      ...tooManyAttempts,
      ...tooManyRecords,
      ...pickErrors('invalid_image', 'name_taken', 'changed_elsewhere', 'storage_full'),
      ...pickErrors('file_too_large', 'image_too_large'),
    })
    .output(Uploaded),
  'storage.get': inStorage('GET /storage/{bucket}/{path}', 'One file', 'read Content')
    .input(storedAt)
    .errors(backendFailed)
    .output(fileBytes()),
  'storage.delete': inStorage('DELETE /storage/{bucket}/{path}', 'Delete a file', 'delete Content', {
    isPlainRoute: true,
  })
    .input(z.object({ params: storedAt }))
    .errors(backendFailed)
    .output({ bucket, path: z.string() }),
  'storage.list': inStorage('GET /storage/{bucket}', 'The files of a folder', 'read Content')
    .input(fileListing.extend({ bucket }))
    .errors(backendFailed)
    .output(FileList),
  'storage.openSigned': publicOperations('Storage')(
    'GET /storage/signed/{token}',
    'The file of a signed address, without signing in',
  )
    .input(z.object({ token: z.string() }))
    .errors(pickErrors('not_found'))
    .output(fileBytes()),
  'content.upload': inContent(
    'POST /content/{organization_id}/files',
    'Upload a file',
    'create Content',
    isUpload,
  )
    .input(
      z.object({
        params: z.object({ organization_id: id }),
        query: z.object({
          kind: z.literal('image').optional().register(documented, {
            description: 'Refuses what is not an image that browsers show.',
          }),
          brand_id: id.optional().register(documented, {
            description: 'The brand whose library it is added to; ignored by a Directus.',
          }),
        }),
        body: z.object({ file: fileBytes(undefined, megabytes(maxFileBytes)) }),
      }),
    )
    .errors({
      ...backendFailed,
      ...quotaErrors,
      ...tooManyRecords,
      ...pickErrors('file_too_large', 'invalid_image'),
    })
    .output(ContentFile),
  'content.download': inContent(
    'GET /content/{organization_id}/assets/{id}',
    'The bytes of a file: images come inline, everything else as an attachment',
    'read Content',
  )
    .input(
      z.object({
        organization_id: id,
        id,
        download: z.string().optional().register(documented, { description: 'Images are attachments, too.' }),
      }),
    )
    .errors(backendFailed)
    .output(fileBytes()),
  'content.uploadImport': inContent(
    'POST /content/{organization_id}/imports',
    'Upload a CSV or JSON file and import it',
    'create Content',
    { ...isUpload, successStatus: 202, additionalPermissions: ['update Content'] },
  )
    .input(
      z.object({
        params: z.object({ organization_id: id }),
        body: z.object({
          ...ImportSettings.shape,
          file: fileBytes('text/csv', `${megabytes(maxImportBytes)} It comes last, after the settings.`),
        }),
      }),
    )
    .errors({ ...quotaErrors, ...pickErrors('too_large', 'too_many_imports') })
    .output(ImportDetails),
};
