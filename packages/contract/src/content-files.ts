import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { pickErrors } from './errors.ts';
import { memberOperations } from './operation.ts';
import { contentBuckets } from './rules/storage.ts';
import { filledLine, id, list, order, paging, search, timestamp } from './values.ts';

/** Files of an organization: images of items, and other files. */

/** The name under which a file is saved. */
export const fileName = filledLine(200, 'Enter a name.');

export const ContentFile = z.object({
  id,
  filename_download: z.string(),
  /** Detected from the first bytes; for a file in a Directus, the type that it reports. */
  type: z.string(),
  /** In bytes. */
  filesize: z.number(),
  date_created: timestamp,
  /**
   * The public address of the image, such as for emails; null for a private file. Files in a Directus are always private.
   */
  public_url: z.string().nullable(),
  /** The brand whose library it is in; null for none. Files in a Directus have none. */
  brand_id: id.nullable(),
  /** Its bucket and path in the file storage; null for a file in a Directus. */
  bucket: z.enum(contentBuckets).nullable(),
  path: z.string().nullable(),
});
export type ContentFile = z.infer<typeof ContentFile>;

const inOrganization = memberOperations('Content', 'organization_id');

/**
 * Uploads and downloads carry bytes, so they are not operations of the contract: `POST /api/content/{organization_id}/files`
 * (multipart/form-data with the part `file`) and `GET /api/content/{organization_id}/assets/{id}`, with `?download` to save
 * the file.
 */
export const fileOperations = {
  files: inOrganization('GET /content/{organization_id}/files', 'Files of the organization', 'read Content')
    .input({
      search,
      /** `image`: only files that image fields can show. */
      kind: z.literal('image').optional(),
      /** Only files of this brand. A Directus knows no brands of files: it lists all. */
      brand_id: id.optional(),
      order: order(['filename_download', 'filesize', 'date_created'], 'date_created.desc'),
      ...paging(),
    })
    .errors(backendFailed)
    .output(list(ContentFile)),
  file: inOrganization('GET /content/{organization_id}/files/{id}', 'One file', 'read Content')
    .input({ id })
    .errors(backendFailed)
    .output(ContentFile),
  updateFile: inOrganization(
    'PATCH /content/{organization_id}/files/{id}',
    'Rename a file, choose its brand, or make an image public',
    'update Content',
    { manualTransaction: true, additionalPermissions: ['read Content'] },
  )
    .input({
      id,
      filename_download: fileName.optional(),
      /** Whether the image is public for anyone with its address; only in the built-in backend. */
      is_public: z.boolean().optional(),
      /** Null for no brand; only in the built-in backend. */
      brand_id: id.nullable().optional(),
    })
    .errors({ ...backendFailed, ...pickErrors('changed_elsewhere') })
    .output(ContentFile),
  deleteFile: inOrganization(
    'DELETE /content/{organization_id}/files/{id}',
    'Delete a file; items that show it keep its id, and show nothing',
    'delete Content',
    { manualTransaction: true },
  )
    .input({ id })
    .errors(backendFailed)
    .output({ id }),
};
