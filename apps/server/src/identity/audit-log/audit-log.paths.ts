import { auditFilters } from '@reachout/contract/audit-log.ts';
import { id } from '@reachout/contract/values.ts';
import { toJsonSchema, type PlainPaths } from '../../platform/http/json-schemas.ts';
import { problemResponses } from '../../platform/http/problem-schemas.ts';

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
      responses: {
        200: { description: 'OK', content: { 'text/csv': { schema: { type: 'string' } } } },
        ...problemResponses(
          'bad_request',
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
