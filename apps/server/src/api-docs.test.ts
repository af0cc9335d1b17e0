import assert from 'node:assert/strict';
import { errorData } from '@reachout/contract/operation.ts';
import { before, suite, test } from 'node:test';
import type { z } from 'zod';
import { useSharedApp } from './testing/app.ts';
import { contractOperations, signInOperations } from './testing/contract-calls.ts';

interface Variant {
  properties: { code: { enum: string[] }; data?: object };
  required?: string[];
}
interface Response {
  $ref?: string;
  content?: Record<string, { schema?: { $ref: string } }>;
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: {
    responses: Record<string, Response>;
    schemas: Record<string, { allOf: [unknown, Variant & { oneOf?: Variant[] }] }>;
  };
}

/** Error codes that always have data. */
const alwaysTyped = [
  'invalid_query',
  ...Object.keys(errorData),
  'quota_exceeded',
  'too_many_records',
  'backend_failed',
];

const operations = [...contractOperations, ...signInOperations];

suite('OpenAPI document', () => {
  const app = useSharedApp();
  let document: Document;

  before(async () => {
    ({ body: document } = await app.request<Document>('GET', '/api/openapi.json'));
  });

  /** @returns the responses of an operation; error responses are shared */
  const responsesOf = (method: string, path: string) =>
    Object.entries(document.paths[path]?.[method.toLowerCase()]?.responses ?? {}).map(
      ([status, response]) => ({
        status: Number(status),
        ...(response.$ref === undefined
          ? response
          : document.components.responses[response.$ref.replace(/^.*\//, '')]),
      }),
    );

  test('each operation lists its statuses', () => {
    for (const { name, method, path, access, requiresReauth, successStatus } of operations) {
      const listed = responsesOf(method, path).map(({ status }) => status);
      const expected = new Set([400, 422, 429, 431, 500, 503]);
      if (method !== 'GET') for (const status of [403, 408, 413, 415]) expected.add(status);
      if (access.who !== 'public') for (const status of [401, 403, 404]) expected.add(status);
      if (requiresReauth !== false) expected.add(401);
      assert.deepEqual(
        [...expected].filter((status) => !listed.includes(status)),
        [],
        name,
      );
      assert.deepEqual(
        listed.filter((status) => status < 400),
        [successStatus],
        name,
      );
    }
  });

  test('errors are problem details with codes and data', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (!('responses' in operation)) continue;
        const operationErrors = operations.find(
          (other) => other.path === path && other.method.toLowerCase() === method,
        )?.errors;
        for (const { status, content = {} } of responsesOf(method, path)) {
          if (status < 400) continue;
          const what = `${method} ${path} ${status}`;
          assert.deepEqual(Object.keys(content), ['application/problem+json'], what);
          const { $ref = '' } = content['application/problem+json']?.schema ?? {};
          const schema = document.components.schemas[$ref.replace(/^.*\//, '')]?.allOf[1];
          const variants = schema?.oneOf ?? (schema === undefined ? [] : [schema]);
          const codes = variants.flatMap(({ properties }) => properties.code.enum);
          assert.ok(codes.length > 0, what);
          for (const { properties, required = [] } of variants) {
            const [code = ''] = properties.code.enum;
            const isTyped = alwaysTyped.includes(code) || operationErrors?.[code]?.data !== undefined;
            assert.equal(properties.data !== undefined, isTyped, `${what} ${code}`);
            const data = operationErrors?.[code]?.data as z.ZodType | undefined;
            const isOptional = code === 'unavailable' || data?.safeParse(undefined).success === true;
            if (isTyped) assert.equal(required.includes('data'), !isOptional, `${what} ${code}`);
          }
          if (operationErrors === undefined) continue;
          const declared = Object.keys(operationErrors).filter(
            (code) => operationErrors[code]?.status === status,
          );
          assert.deepEqual([...codes].sort(), declared.sort(), what);
        }
      }
    }
  });

  test('no schema refers to itself, and each that is named is there', () => {
    const { schemas } = document.components;
    const namesIn = (part: unknown): string[] =>
      [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
    const reached = (name: string, seen = new Set<string>()): Set<string> => {
      for (const next of namesIn(schemas[name])) if (!seen.has(next)) reached(next, seen.add(next));
      return seen;
    };
    for (const name of Object.keys(schemas)) assert.ok(!reached(name).has(name), `${name} refers to itself`);
    const missing = namesIn(document).filter((name) => !(name in schemas));
    assert.deepEqual([missing, 'Campaign' in schemas, 'TimeZone' in schemas], [[], true, true]);
    assert.ok(JSON.stringify(document).length < 900_000);
  });

  test('the document lists exactly the existing file routes', () => {
    for (const [method, path] of [
      ['post', '/content/{organization_id}/imports'],
      ['get', '/content/{organization_id}/imports/{id}/rejected'],
      ['post', '/content/{organization_id}/files'],
      ['get', '/content/{organization_id}/assets/{id}'],
      ['get', '/content/{organization_id}/exports/{collection}'],
      ['get', '/organizations/{id}/audit_log/export'],
      ['get', '/sends/{id}/deliveries/export'],
      ['post', '/storage/avatars/me'],
      ['get', '/storage/signed/{token}'],
      ['get', '/storage/{bucket}'],
      ['post', '/storage/{bucket}/{path}'],
      ['get', '/storage/{bucket}/{path}'],
      ['delete', '/storage/{bucket}/{path}'],
    ] as const)
      assert.ok(document.paths[path]?.[method] !== undefined, `${method} ${path}`);
    for (const [path, methods] of Object.entries(document.paths)) {
      if (path === '/storage/{bucket}/{path}') continue;
      for (const method of Object.keys(methods)) {
        const url = `/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
        assert.ok(app.app.hasRoute({ method: method.toUpperCase(), url }), `${method} ${url}`);
      }
    }
  });
});
