import { id } from '@reachout/contract/values.ts';
import { toJsonSchema, type PlainPaths } from '../../platform/http/json-schemas.ts';
import { csvResponses } from '../../platform/http/problem-schemas.ts';
import { StatisticsExport } from './statistics-export.routes.ts';

/** The route of `registerStatisticsExport` in the OpenAPI document. */
export const statisticsExportPaths: PlainPaths = {
  '/touchpoints/{id}/statistics/export': {
    get: {
      operationId: 'statistics.exportTable',
      summary: 'A table of the statistics of an email or a website as a CSV file',
      tags: ['Statistics'],
      parameters: [
        { name: 'id', in: 'path', required: true, schema: toJsonSchema(id, 'input') },
        ...(['table', 'period', 'time_zone'] as const).map((name) => ({
          name,
          in: 'query',
          schema: toJsonSchema(StatisticsExport.shape[name], 'input'),
        })),
      ],
      responses: csvResponses('invalid_input', 'invalid_period'),
    },
  },
};
