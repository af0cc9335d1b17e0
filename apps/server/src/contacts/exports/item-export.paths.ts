import { backendErrors } from '@reachout/contract/content.ts';
import { collectionName, id, search } from '@reachout/contract/values.ts';
import { toJsonSchema, type PlainPaths } from '../../platform/http/json-schemas.ts';
import { problemResponses } from '../../platform/http/problem-schemas.ts';
import { exportFormats } from './item-export.ts';

/** The route of `registerItemExport` in the OpenAPI document. */
export const itemExportPaths: PlainPaths = {
  '/content/{organization_id}/exports/{collection}': {
    get: {
      operationId: 'content.exportItems',
      summary: 'The items of a collection that a filter finds, as a CSV or JSON file',
      tags: ['Content'],
      parameters: [
        { name: 'organization_id', in: 'path', required: true, schema: toJsonSchema(id, 'input') },
        { name: 'collection', in: 'path', required: true, schema: toJsonSchema(collectionName, 'input') },
        { name: 'format', in: 'query', schema: { enum: [...exportFormats], default: 'csv' } },
        { name: 'filter', in: 'query', schema: { type: 'string', maxLength: 12_000 } },
        { name: 'search', in: 'query', schema: toJsonSchema(search, 'input') },
      ],
      responses: {
        200: {
          description: 'OK',
          content: {
            'text/csv': { schema: { type: 'string' } },
            'application/json': { schema: { type: 'array', items: { type: 'object' } } },
          },
        },
        ...problemResponses(
          'bad_request',
          { invalid_query: backendErrors.invalid_query, backend_failed: backendErrors.backend_failed },
          'not_signed_in',
          'forbidden',
          'second_factor_required',
          'not_found',
          'invalid_input',
          'too_many_requests',
          'headers_too_large',
          'internal',
          'unavailable',
        ),
      },
    },
  },
};
