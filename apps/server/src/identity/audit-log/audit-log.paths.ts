import { auditFilters } from '@reachout/contract/audit-log.ts';
import { id } from '@reachout/contract/values.ts';
import { toJsonSchema, type PlainPaths } from '../../platform/http/json-schemas.ts';
import { csvResponses } from '../../platform/http/problem-schemas.ts';

/** The route of `registerAuditExport` in the OpenAPI document. */
export const auditExportPaths: PlainPaths = {
  '/organizations/{id}/audit_log/export': {
    get: {
      operationId: 'auditLog.export',
      summary: 'The audit log as a CSV file, the latest entries first',
      tags: ['Audit log'],
      parameters: [
        { name: 'id', in: 'path', required: true, schema: toJsonSchema(id, 'input') },
        ...Object.entries(auditFilters).map(([name, schema]) => ({
          name,
          in: 'query',
          schema: toJsonSchema(schema, 'input'),
        })),
      ],
      responses: csvResponses('invalid_input'),
    },
  },
};
