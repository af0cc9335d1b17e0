import { ImportDetails, ImportSettings } from '@reachout/contract/content-imports.ts';
import { quotaErrors } from '@reachout/contract/organizations.ts';
import { id } from '@reachout/contract/values.ts';
import { toJsonSchema, type PlainPaths } from '../../platform/http/json-schemas.ts';
import { problemResponses } from '../../platform/http/problem-schemas.ts';
import { toUpload } from '../../identity/storage/upload-problems.ts';

const uuid = toJsonSchema(id, 'input');
const settings = toJsonSchema(ImportSettings, 'input');

/** The upload of `registerImportRoutes` in the OpenAPI document. */
export const importPaths: PlainPaths = {
  '/content/{organization_id}/imports': {
    post: {
      operationId: 'content.uploadImport',
      summary: 'Upload a CSV or JSON file and import it',
      description:
        'The file comes last, after the settings. `mapping` and `consent` are JSON objects, `new_fields` and `reject_fields` are JSON lists.',
      tags: ['Content'],
      parameters: [{ name: 'organization_id', in: 'path', required: true, schema: uuid }],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              ...settings,
              properties: {
                ...(settings['properties'] as object),
                file: { type: 'string', contentMediaType: 'text/csv', description: 'At most 50 MB.' },
              },
              required: [...(settings['required'] as string[]), 'file'],
            },
            encoding: {
              mapping: { contentType: 'application/json' },
              new_fields: { contentType: 'application/json' },
              consent: { contentType: 'application/json' },
              reject_fields: { contentType: 'application/json' },
            },
          },
        },
      },
      responses: {
        202: {
          description: 'The import is queued, or its check.',
          content: { 'application/json': { schema: toJsonSchema(ImportDetails, 'output') } },
        },
        ...problemResponses(...toUpload, quotaErrors, 'too_large', 'too_many_imports'),
      },
    },
  },
};
