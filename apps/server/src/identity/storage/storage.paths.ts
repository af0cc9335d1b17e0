import { quotaErrors } from '@reachout/contract/organizations.ts';
import { backendFailed } from '@reachout/contract/content-backend.ts';
import { tooManyRecords } from '@reachout/contract/operation.ts';
import { buckets, maxFileBytes } from '@reachout/contract/rules/storage.ts';
import { toJsonSchema, type PlainPaths, type PlainSchema } from '../../platform/http/json-schemas.ts';
import { problemResponses, toRead } from '../../platform/http/problem-schemas.ts';
import { toChange, toUpload } from './upload-problems.ts';
import { FileListing } from './bucket-handlers.ts';

const uuid = { type: 'string', format: 'uuid' } as const;
const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const bucket = {
  name: 'bucket',
  in: 'path',
  required: true,
  schema: { type: 'string', enum: Object.keys(buckets) },
};
const query = (name: string, description: string, schema: PlainSchema) => ({
  name,
  in: 'query',
  description,
  schema,
});

const object = (properties: Record<string, PlainSchema>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const json = (description: string, schema: PlainSchema) => ({
  description,
  content: { 'application/json': { schema } },
});

const inForm = {
  'multipart/form-data': {
    schema: object({ file: { type: 'string', contentMediaType: 'application/octet-stream' } }),
  },
};

const uploadImage = (operationId: string, summary: string, description?: string) => ({
  operationId,
  summary,
  ...(description === undefined ? {} : { description }),
  tags: ['Storage'],
  requestBody: {
    required: true,
    description: 'A PNG, JPEG, WebP or GIF image of at most 5 MB.',
    content: {
      ...Object.fromEntries(
        buckets.logos.types.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
      ),
      ...inForm,
    },
  },
  responses: {
    201: json('The image is stored, and shown from now on.', object({ bucket: text, path: text, url: text })),
    ...problemResponses(...toUpload, 'invalid_image', 'storage_full', 'image_too_large', 'too_many_attempts'),
  },
});

const { prefix: _prefix, ...listing } = (
  toJsonSchema(FileListing, 'input') as {
    properties: Record<string, PlainSchema>;
  }
).properties;

/** The routes of `registerStorageRoutes`, and signed addresses, in the OpenAPI document. */
export const storagePaths: PlainPaths = {
  '/storage/avatars/me': { post: uploadImage('storage.uploadAvatar', 'Upload your avatar') },
  '/storage/{bucket}': {
    get: {
      operationId: 'storage.list',
      summary: 'The files of a folder',
      tags: ['Storage'],
      parameters: [
        bucket,
        query(
          'prefix',
          'A folder: `{organization_id}`, in `images` and `documents` also `{organization_id}/{folders}`. In `avatars`, your id, or nothing.',
          text,
        ),
        ...Object.entries(listing).map(([name, schema]) => ({ name, in: 'query', schema })),
      ],
      responses: {
        200: json(
          'OK',
          object({
            items: {
              type: 'array',
              items: object({
                path: text,
                name: text,
                bytes: { type: 'integer' },
                type: text,
                updated_at: { type: 'string', format: 'date-time' },
                public_url: textOrNull,
              }),
            },
            count: { type: 'integer' },
          }),
        ),
        ...problemResponses(...toRead, 'invalid_input', backendFailed),
      },
    },
  },
  '/storage/logos/brands/{id}/dark': {
    post: {
      ...uploadImage('storage.uploadDarkLogo', 'Upload the logo of a brand for dark backgrounds'),
      parameters: [{ name: 'id', in: 'path', required: true, schema: uuid }],
    },
  },
  '/storage/signed/{token}': {
    get: {
      operationId: 'storage.openSigned',
      summary: 'The file of a signed address, without signing in',
      tags: ['Storage'],
      security: [],
      parameters: [{ name: 'token', in: 'path', required: true, schema: text }],
      responses: {
        200: { description: 'OK', content: { 'application/octet-stream': {} } },
        ...problemResponses(
          'bad_request',
          'not_found',
          'too_many_requests',
          'headers_too_large',
          'internal',
          'unavailable',
        ),
      },
    },
  },
  '/storage/{bucket}/{path}': {
    parameters: [
      bucket,
      {
        name: 'path',
        in: 'path',
        required: true,
        description:
          '`{organization_id}/{folders}/{name}`: at most 5 segments below the organization, each of at most 200 letters, digits, `.`, `_`, `-` and blanks, and 2,000 bytes of UTF-8 in all. In `avatars` and `logos`, the server chooses the path.',
        schema: text,
      },
    ],
    post: {
      operationId: 'storage.upload',
      summary: 'Upload a file',
      description:
        'In the bucket `logos`, the path of an upload is `organizations/{id}`, `clients/{id}` or `brands/{id}`: the record that shows it.',
      tags: ['Storage'],
      parameters: [
        query('upsert', 'Whether a file at this path is replaced. The new one has another id.', {
          enum: ['true', 'false'],
        }),
        query('public', 'Only in `images`: whether everyone with its public address sees the image.', {
          enum: ['true', 'false'],
        }),
        query(
          'brand_id',
          'The brand whose library it is added to; by default, that of a replaced file.',
          uuid,
        ),
      ],
      requestBody: {
        required: true,
        description: `The file, of at most ${maxFileBytes / 1_000_000} MB, or a form with it.`,
        content: {
          'application/octet-stream': {},
          'image/*': {},
          ...inForm,
        },
      },
      responses: {
        201: json(
          'The file is stored.',
          object({ bucket: text, path: text, url: text, public_url: textOrNull }, ['public_url']),
        ),
        ...problemResponses(
          ...toUpload,
          'invalid_image',
          'name_taken',
          'changed_elsewhere',
          'storage_full',
          'file_too_large',
          'image_too_large',
          'too_many_attempts',
          quotaErrors,
          tooManyRecords,
          backendFailed,
        ),
      },
    },
    get: {
      operationId: 'storage.get',
      summary: 'One file',
      tags: ['Storage'],
      responses: {
        200: { description: 'OK', content: { 'application/octet-stream': {} } },
        ...problemResponses(...toRead, backendFailed),
      },
    },
    delete: {
      operationId: 'storage.delete',
      summary: 'Delete a file',
      tags: ['Storage'],
      responses: {
        200: json('The file is deleted.', object({ bucket: text, path: text })),
        ...problemResponses(...toChange, backendFailed),
      },
    },
  },
};
