import { period } from '@reachout/contract/statistics.ts';
import { id, timeZone } from '@reachout/contract/values.ts';
import { toJsonSchema, type PlainPaths } from '../../platform/http/json-schemas.ts';
import { csvResponses } from '../../platform/http/problem-schemas.ts';

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
      responses: csvResponses('invalid_input', 'invalid_period'),
    },
  },
};
