import { STATUS_CODES } from 'node:http';
import type { OpenAPI } from '@orpc/openapi';
import { apiErrors, type ErrorCode } from '@reachout/contract/errors.ts';

const text = { type: 'string' } as const;

/** Problem details (RFC 9457), for `#/components/schemas/Problem`. */
export const problemComponent: OpenAPI.SchemaObject = {
  type: 'object',
  properties: {
    type: text,
    title: text,
    status: { type: 'integer' },
    code: text,
    detail: text,
    errors: {
      type: 'array',
      items: { type: 'object', properties: { path: text, message: text }, required: ['path', 'message'] },
    },
    data: {},
  },
  required: ['type', 'title', 'status', 'code', 'detail'],
};

/** The schema of the problems of one status. */
export const problemSchema = (codes: readonly string[]) => ({
  allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: [...codes] } } }],
});

/** The responses of a route that is no operation of the contract, for errors with these codes. */
export function problemResponses(...codes: ErrorCode[]) {
  const byStatus = Map.groupBy(codes, (code) => String(apiErrors[code].status));
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      { description: status, content: { 'application/json': { schema: problemSchema(group) } } },
    ]),
  );
}

/** Each set of codes is described once, with the media type and the headers that problems have. */
export function shareProblemResponses(document: OpenAPI.Document): void {
  const shared: Record<string, OpenAPI.ResponseObject> = {};
  for (const operations of Object.values(document.paths ?? {})) {
    for (const { responses = {} } of Object.values(operations ?? {}) as OpenAPI.OperationObject[]) {
      for (const [status, response] of Object.entries(responses)) {
        const schema = 'content' in response ? response.content?.['application/json']?.schema : undefined;
        if (Number(status) < 400 || schema === undefined) continue;
        const name = codesOf(schema).join('-');
        shared[name] ??= {
          description: STATUS_CODES[status] ?? status,
          ...(status === '429' || status === '503' ? { headers: retryAfter } : {}),
          content: { 'application/problem+json': { schema } },
        };
        responses[status] = { $ref: `#/components/responses/${name}` };
      }
    }
  }
  document.components = { ...document.components, responses: shared };
}

const retryAfter: NonNullable<OpenAPI.ResponseObject['headers']> = {
  'Retry-After': { description: 'Seconds to wait, where they are known.', schema: { type: 'integer' } },
};

function codesOf({ allOf = [] }: OpenAPI.SchemaObject): string[] {
  const [, own] = allOf as { properties?: { code: { enum: string[] } } }[];
  return own?.properties?.code.enum ?? [];
}
