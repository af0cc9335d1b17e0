import { recipientFilter } from '@reachout/contract/sends.ts';
import { id } from '@reachout/contract/values.ts';
import { toJsonSchema, type PlainPaths } from '../../platform/http/json-schemas.ts';
import { csvResponses } from '../../platform/http/problem-schemas.ts';

/** The route of `registerRecipientExport` in the OpenAPI document. */
export const recipientExportPaths: PlainPaths = {
  '/sends/{id}/deliveries/export': {
    get: {
      operationId: 'sends.exportDeliveries',
      summary: 'The recipients of a send as a CSV file: how each delivery ended, and what came back',
      tags: ['Sends'],
      parameters: [
        { name: 'id', in: 'path', required: true, schema: toJsonSchema(id, 'input') },
        ...Object.entries(recipientFilter).map(([name, schema]) => ({
          name,
          in: 'query',
          schema: toJsonSchema(schema, 'input'),
        })),
      ],
      responses: csvResponses('invalid_input'),
    },
  },
};
