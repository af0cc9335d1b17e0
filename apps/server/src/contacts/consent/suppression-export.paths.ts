import { suppressionReasons } from '@reachout/contract/statuses.ts';
import { suppressionFilters } from '@reachout/contract/suppressions.ts';
import { id } from '@reachout/contract/values.ts';
import { toJsonSchema, type PlainPaths } from '../../platform/http/json-schemas.ts';
import { csvResponses } from '../../platform/http/problem-schemas.ts';

const parameter = (name: keyof typeof suppressionFilters) => ({
  name,
  in: 'query',
  schema:
    name === 'reason' ? { enum: [...suppressionReasons] } : toJsonSchema(suppressionFilters[name], 'input'),
});

/** The route of `registerSuppressionExport` in the OpenAPI document. */
export const suppressionExportPaths: PlainPaths = {
  '/suppressions/export': {
    get: {
      operationId: 'suppressions.export',
      summary: 'Addresses that get no email, as a CSV file that can be imported elsewhere',
      tags: ['Consent'],
      parameters: [
        { name: 'organization_id', in: 'query', required: true, schema: toJsonSchema(id, 'input') },
        ...(Object.keys(suppressionFilters) as (keyof typeof suppressionFilters)[]).map(parameter),
      ],
      responses: csvResponses('invalid_input'),
    },
  },
};
