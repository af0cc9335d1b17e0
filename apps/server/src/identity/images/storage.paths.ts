import type { ErrorCode } from '@reachout/contract/errors.ts';
import type { PlainPaths, PlainSchema } from '../../platform/http/json-schemas.ts';
import { problemResponses } from '../../platform/http/problem-schemas.ts';
import { buckets } from './stored-path.ts';

const uuid = { type: 'string', format: 'uuid' } as const;
const text = { type: 'string' } as const;
const bucket = {
  name: 'bucket',
  in: 'path',
  required: true,
  schema: { type: 'string', enum: [...buckets] },
};

const object = (properties: Record<string, PlainSchema>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const toRead = [
  'bad_request',
  'not_signed_in',
  'forbidden',
  'second_factor_required',
  'not_found',
  'too_many_requests',
  'headers_too_large',
  'internal',
  'unavailable',
] as const satisfies ErrorCode[];
const toChange = [...toRead, 'foreign_origin', 'organization_suspended'] as const satisfies ErrorCode[];

const json = (description: string, schema: PlainSchema) => ({
  description,
  content: { 'application/json': { schema } },
});

const upload = (operationId: string, summary: string, description?: string) => ({
  operationId,
  summary,
  ...(description === undefined ? {} : { description }),
  tags: ['Images'],
  requestBody: {
    required: true,
    description: 'A PNG, JPEG, WebP or GIF image of at most 5 MB.',
    content: Object.fromEntries(
      ['png', 'jpeg', 'webp', 'gif'].map((type) => [
        `image/${type}`,
        { schema: { type: 'string', contentMediaType: `image/${type}` } },
      ]),
    ),
  },
  responses: {
    201: json('The image is stored, and shown from now on.', object({ bucket: text, path: text, url: text })),
    ...problemResponses(
      ...toChange,
      'request_timeout',
      'storage_full',
      'image_too_large',
      'unsupported_media_type',
      'invalid_image',
      'too_many_attempts',
    ),
  },
});

/** The routes of `registerStorageRoutes` in the OpenAPI document. */
export const storagePaths: PlainPaths = {
  '/storage/avatars/me': { post: upload('images.uploadAvatar', 'Upload your avatar') },
  '/storage/{bucket}': {
    get: {
      operationId: 'images.list',
      summary: 'The images of a folder',
      tags: ['Images'],
      parameters: [
        bucket,
        {
          name: 'prefix',
          in: 'query',
          description: 'The id of a person or organization. Your own avatars when left out.',
          schema: uuid,
        },
      ],
      responses: {
        200: json(
          'OK',
          object({
            items: { type: 'array', items: { type: 'object' } },
            count: { type: 'integer' },
          }),
        ),
        ...problemResponses(...toRead),
      },
    },
  },
  '/storage/logos/brands/{id}/dark': {
    post: {
      ...upload('images.uploadDarkLogo', 'Upload the logo of a brand for dark backgrounds'),
      parameters: [{ name: 'id', in: 'path', required: true, schema: uuid }],
    },
  },
  '/storage/{bucket}/{folder}/{name}': {
    parameters: [
      bucket,
      { name: 'folder', in: 'path', required: true, schema: text },
      { name: 'name', in: 'path', required: true, schema: text },
    ],
    post: upload(
      'images.uploadLogo',
      'Upload a logo',
      'In the bucket `logos`, `folder` is `organizations`, `clients` or `brands`, and `name` the id of the record.',
    ),
    get: {
      operationId: 'images.get',
      summary: 'One image',
      tags: ['Images'],
      responses: {
        200: { description: 'OK', content: { 'image/webp': {} } },
        ...problemResponses(...toRead),
      },
    },
    delete: {
      operationId: 'images.delete',
      summary: 'Delete an image',
      tags: ['Images'],
      responses: {
        200: json('The image is deleted.', object({ bucket: text, path: text })),
        ...problemResponses(...toChange),
      },
    },
  },
};
