import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { OpenAPI } from '@orpc/openapi';

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
    data: { description: 'What a code adds.' },
  },
  required: ['type', 'title', 'status', 'code', 'detail'],
};

/**
 * @returns the schema of an operation's problems of one status, from the errors that its contract declares: one variant for all
 *   codes without data, and one for each other code
 */
export function operationProblems(
  errors: readonly (readonly [code: string, message: string, isDataRequired: boolean, data: unknown])[],
) {
  // An error without data has an empty schema.
  const plain = errors.filter(([, , , data]) => isEmpty(data)).map(([code]) => code);
  const variants = [
    ...(plain.length === 0 ? [] : [{ properties: { code: { enum: plain } } }]),
    ...errors.flatMap(([code, , isRequired, data]) =>
      isEmpty(data)
        ? []
        : [
            {
              properties: { code: { enum: [code] }, data: data as object },
              ...(isRequired ? { required: ['data'] } : {}),
            },
          ],
    ),
  ];
  const [only] = variants;
  return {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      variants.length === 1 && only !== undefined ? only : { oneOf: variants },
    ],
  };
}

const isEmpty = (schema: unknown): boolean =>
  typeof schema !== 'object' || schema === null || Object.keys(schema).length === 0;

/**
 * Moves error responses and their schemas to shared components, one for each set of codes, with the media type and headers of
 * problems: code generators make types of each schema, and of an unnamed one for each of its uses.
 */
export function shareProblemResponses(document: OpenAPI.Document): void {
  const shared: Record<string, OpenAPI.ResponseObject> = {};
  const schemas: Record<string, object> = {};
  for (const operations of Object.values(document.paths ?? {})) {
    for (const { operationId = '', responses = {} } of Object.values(
      operations ?? {},
    ) as OpenAPI.OperationObject[]) {
      for (const [status, response] of Object.entries(responses)) {
        const schema = 'content' in response ? response.content?.['application/json']?.schema : undefined;
        if (Number(status) < 400 || schema === undefined) continue;
        const codes = codesOf(schema).join('-');
        const other = schemas[toTypeName(codes)];
        // The same codes can have different data in another operation.
        const name =
          other === undefined || isDeepStrictEqual(other, schema) ? codes : `${codes}-${operationId}`;
        const typeName = toTypeName(name);
        schemas[typeName] ??= schema;
        shared[name] ??= {
          description: STATUS_CODES[status] ?? status,
          ...(status === '429' || status === '503' ? { headers: retryAfter } : {}),
          content: {
            'application/problem+json': { schema: { $ref: `#/components/schemas/${typeName}` } },
          },
        };
        responses[status] = { $ref: `#/components/responses/${name}` };
      }
    }
  }
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...(schemas as Record<string, OpenAPI.SchemaObject>) },
    responses: shared,
  };
}

/** @returns `NotFoundProblem` for `not_found` */
const toTypeName = (name: string): string =>
  `${name.replaceAll(/(?:^|[^a-zA-Z0-9])([a-z])/g, (_match, letter: string) => letter.toUpperCase())}Problem`;

const retryAfter: NonNullable<OpenAPI.ResponseObject['headers']> = {
  'Retry-After': { description: 'Seconds to wait, where they are known.', schema: { type: 'integer' } },
};

function codesOf({ allOf = [] }: OpenAPI.SchemaObject): string[] {
  const [, own] = allOf as [unknown, Variant & { oneOf?: Variant[] }];
  return (own.oneOf ?? [own]).flatMap(({ properties }) => properties.code.enum);
}

interface Variant {
  properties: { code: { enum: string[] } };
}
