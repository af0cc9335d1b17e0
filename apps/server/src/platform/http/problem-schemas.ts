import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { OpenAPI } from '@orpc/openapi';
import { apiErrors, type ErrorCode } from '@reachout/contract/errors.ts';
import { errorData } from '@reachout/contract/operation.ts';
import type { z } from 'zod';
import { toJsonSchema, type PlainSchema } from './json-schemas.ts';

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

/** An error code of a response, with the schema of its `data`. */
interface ProblemCode {
  code: string;
  data?: { schema: PlainSchema; isRequired: boolean } | undefined;
}

/** @returns the schema of the problems of one status: one variant for all codes without data, and one for each other code */
export function problemSchema(codes: readonly ProblemCode[]) {
  const plain = codes.filter(({ data }) => data === undefined).map(({ code }) => code);
  const variants = [
    ...(plain.length === 0 ? [] : [{ properties: { code: { enum: plain } } }]),
    ...codes.flatMap(({ code, data }) => (data === undefined ? [] : [withData(code, data)])),
  ];
  const [only] = variants;
  return {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      variants.length === 1 && only !== undefined ? only : { oneOf: variants },
    ],
  };
}

const withData = (code: string, { schema, isRequired }: NonNullable<ProblemCode['data']>) => ({
  properties: { code: { enum: [code] }, data: schema },
  ...(isRequired ? { required: ['data'] } : {}),
});

/** @returns the schema of an operation's problems of one status, from the errors that its contract declares */
export const operationProblems = (
  errors: readonly (readonly [code: string, message: string, isDataRequired: boolean, data: unknown])[],
) =>
  problemSchema(
    errors.map(([code, , isRequired, schema]) => ({
      code,
      // An error without data has an empty schema.
      data: isEmpty(schema) ? undefined : { schema: schema as PlainSchema, isRequired },
    })),
  );

const isEmpty = (schema: unknown): boolean =>
  typeof schema !== 'object' || schema === null || Object.keys(schema).length === 0;

/**
 * @param errors  codes, or contract errors whose data is specific to some operations
 * @returns the error responses of a route that is not an operation of the contract
 */
export function problemResponses(...errors: (ErrorCode | ErrorMap)[]) {
  const all = errors.flatMap((error): { code: string; status: number; schema: z.ZodType | undefined }[] =>
    typeof error === 'string'
      ? [{ code: error, status: apiErrors[error].status, schema: commonData[error] }]
      : Object.entries(error).map(([code, { status, data }]) => ({ code, status, schema: data })),
  );
  return Object.fromEntries(
    [...Map.groupBy(all, ({ status }) => String(status))].map(([status, group]) => [
      status,
      {
        description: status,
        content: {
          'application/json': {
            schema: problemSchema(group.map(({ code, schema }) => ({ code, data: toData(schema) }))),
          },
        },
      },
    ]),
  );
}

/** Codes of every route that reads what a caller may see. */
export const toRead = [
  'bad_request',
  'not_signed_in',
  'forbidden',
  'second_factor_required',
  'not_found',
  'too_many_requests',
  'headers_too_large',
  'internal',
  'unavailable',
] as const satisfies ErrorCode[];

type ErrorMap = Readonly<Record<string, { status: number; data: z.ZodType }>>;
const commonData: Partial<Record<ErrorCode, z.ZodType>> = errorData;

const toData = (schema: z.ZodType | undefined): ProblemCode['data'] =>
  schema && {
    schema: toJsonSchema(schema, 'output'),
    isRequired: !schema.safeParse(undefined).success,
  };

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
