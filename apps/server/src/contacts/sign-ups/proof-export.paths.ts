import { backendErrors } from '@reachout/contract/content.ts';
import { SignUp } from '@reachout/contract/sign-up-forms.ts';
import { collectionName, id, itemKey } from '@reachout/contract/values.ts';
import { z } from 'zod';
import { toJsonSchema, type PlainPaths } from '../../platform/http/json-schemas.ts';
import { problemResponses, toRead } from '../../platform/http/problem-schemas.ts';

const parameter = (name: string, schema: z.ZodType) => ({
  name,
  in: 'path',
  required: true,
  schema: toJsonSchema(schema, 'input'),
});

/** The route of `registerProofExport` in the OpenAPI document. */
export const proofExportPaths: PlainPaths = {
  '/content/{organization_id}/consent/{collection}/{key}/sign_ups/export': {
    get: {
      operationId: 'signUpForms.exportProof',
      summary: 'What a contact has signed up for, as a JSON file; the audit log records each download',
      tags: ['Consent'],
      parameters: [
        parameter('organization_id', id),
        parameter('collection', collectionName),
        parameter('key', itemKey),
      ],
      responses: {
        200: {
          description: 'OK',
          content: {
            'application/json': { schema: toJsonSchema(z.object({ items: z.array(SignUp) }), 'output') },
          },
        },
        ...problemResponses(...toRead, { backend_failed: backendErrors.backend_failed }),
      },
    },
  },
};
