import { quotaErrors } from '@reachout/contract/organizations.ts';
import { backendFailed } from '@reachout/contract/content-backend.ts';
import { ContentFile } from '@reachout/contract/content-files.ts';
import { tooManyRecords } from '@reachout/contract/operation.ts';
import { id } from '@reachout/contract/values.ts';
import { toJsonSchema, type PlainPaths } from '../../platform/http/json-schemas.ts';
import { problemResponses, toRead } from '../../platform/http/problem-schemas.ts';
import { toUpload } from '../../identity/storage/upload-problems.ts';

const uuid = toJsonSchema(id, 'input');

/** The routes of `registerFileTransfer` in the OpenAPI document. */
export const fileTransferPaths: PlainPaths = {
  '/content/{organization_id}/files': {
    post: {
      operationId: 'content.upload',
      summary: 'Upload a file',
      tags: ['Content'],
      parameters: [
        { name: 'organization_id', in: 'path', required: true, schema: uuid },
        {
          name: 'kind',
          in: 'query',
          description: 'Refuses what is not an image that browsers show.',
          schema: { enum: ['image'] },
        },
        {
          name: 'brand_id',
          in: 'query',
          description: 'The brand whose library it is added to; ignored by a Directus.',
          schema: uuid,
        },
      ],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              properties: {
                file: {
                  type: 'string',
                  contentMediaType: 'application/octet-stream',
                  description: 'At most 10 MB.',
                },
              },
              required: ['file'],
            },
          },
        },
      },
      responses: {
        201: {
          description: 'The file is stored.',
          content: { 'application/json': { schema: toJsonSchema(ContentFile, 'output') } },
        },
        ...problemResponses(
          ...toUpload,
          backendFailed,
          tooManyRecords,
          quotaErrors,
          'file_too_large',
          'invalid_image',
        ),
      },
    },
  },
  '/content/{organization_id}/assets/{id}': {
    get: {
      operationId: 'content.download',
      summary: 'The bytes of a file',
      description: 'Images come inline, everything else, and with `download` images too, as an attachment.',
      tags: ['Content'],
      parameters: [
        { name: 'organization_id', in: 'path', required: true, schema: uuid },
        { name: 'id', in: 'path', required: true, schema: uuid },
        { name: 'download', in: 'query', schema: { type: 'string' } },
      ],
      responses: {
        200: { description: 'OK', content: { 'application/octet-stream': {} } },
        ...problemResponses(...toRead, backendFailed),
      },
    },
  },
};
