import { period } from '@reachout/contract/statistics.ts';
import { id, timeZone } from '@reachout/contract/values.ts';
import { toJsonSchema, type PlainPaths } from '../../platform/http/json-schemas.ts';
import { problemResponses } from '../../platform/http/problem-schemas.ts';

/** The route of `registerChartExport` in the OpenAPI document. */
export const chartExportPaths: PlainPaths = {
  '/touchpoints/{id}/statistics/export': {
    get: {
      operationId: 'statistics.exportChart',
      summary: 'Opens and clicks of an email over time, added up, as a CSV file',
      tags: ['Statistics'],
      parameters: [
        { name: 'id', in: 'path', required: true, schema: toJsonSchema(id, 'input') },
        { name: 'period', in: 'query', required: true, schema: toJsonSchema(period, 'input') },
        { name: 'time_zone', in: 'query', schema: toJsonSchema(timeZone, 'input') },
      ],
      responses: {
        200: { description: 'OK', content: { 'text/csv': { schema: { type: 'string' } } } },
        ...problemResponses(
          'bad_request',
          'not_signed_in',
          'forbidden',
          'second_factor_required',
          'not_found',
          'invalid_input',
          'invalid_period',
          'too_many_requests',
          'headers_too_large',
          'internal',
          'unavailable',
        ),
      },
    },
  },
};
