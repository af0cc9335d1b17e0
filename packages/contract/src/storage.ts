import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { memberOperations } from './operation.ts';
import { contentBuckets, maxPathBytes, maxSignedSeconds } from './rules/storage.ts';
import { timestamp } from './values.ts';

/**
 * The file storage. What carries files is not an operation of the contract: `POST`, `GET` and `DELETE
 * /api/storage/{bucket}/{path}`, and the list `GET /api/storage/{bucket}?prefix=`.
 */

const onFiles = memberOperations('Storage', 'organization_id');

/** `{organization_id}/{folders}/{name}` */
const path = z
  .string()
  .min(1)
  .max(37 + maxPathBytes);
const bucket = z.enum(contentBuckets);

export const storage = {
  createSignedUrl: onFiles(
    'POST /storage/{bucket}/signed_urls',
    'Create an address that opens a private file without signing in, for a while',
    'read Content',
    { secretFields: ['url'] },
  )
    .input({ bucket, path, expires_in: z.number().int().min(60).max(maxSignedSeconds) })
    .errors(backendFailed)
    .output({ url: z.string().nullable(), expires_at: timestamp }),
  deleteFiles: onFiles(
    'DELETE /storage/{bucket}',
    'Delete several files, all or none of them',
    'delete Content',
    { manualTransaction: true },
  )
    .input({ bucket, paths: z.array(path).min(1, 'Keys cannot be empty').max(100) })
    .errors(backendFailed)
    .output({ bucket, paths: z.array(z.string()) }),
};
