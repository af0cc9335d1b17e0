import { Agent, request as sendRequest, type IncomingHttpHeaders } from 'node:http';
import { naughtyRule, naughtyText, naughtyValue } from './naughty-values.ts';
import { createRandom, type Random } from '../platform/random.ts';

/** The part of the OpenAPI document that is used here. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>;
}
interface OpenApiOperation {
  parameters?: { in: 'path' | 'query'; name: string; schema?: JsonSchema }[];
  requestBody?: { content: Record<string, { schema?: JsonSchema }> };
}
export interface JsonSchema {
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

/** One operation of a server. */
export interface FuzzCall {
  method: string;
  /** Path from the root of the server, with `{placeholders}`. */
  path: string;
  pathFields: readonly string[];
  queryFields: readonly string[];
  body: JsonSchema | undefined;
}

/** @returns the operations in an OpenAPI document */
export const listCalls = ({ paths }: OpenApiDocument): FuzzCall[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path: `/api${path}`,
      pathFields: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      queryFields: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      body: requestBody?.content['application/json']?.schema,
    })),
  );

export interface FuzzRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

/**
 * Builds one request: `input` with some fields replaced and some added.
 * @param random the only source of randomness, so that a seed reproduces the request
 */
export function makeRequest(
  random: Random,
  call: FuzzCall,
  input: Record<string, unknown>,
  headers: Record<string, string>,
): FuzzRequest {
  const fields = [...call.pathFields, ...call.queryFields, ...Object.keys(call.body?.properties ?? {})];
  const touched = new Set(Array.from({ length: random.below(3) + 1 }, () => random.pick(fields)));
  const valueOf = (name: string, schema: JsonSchema | undefined): unknown => {
    if (!touched.has(name))
      return input[name] ?? (random.chance(0.3) ? sampleOf(schema ?? {}, random) : undefined);
    if ((name === 'rule' || name === 'filter') && random.chance(0.8)) return naughtyRule(random);
    return random.chance(0.4)
      ? mutate(input[name] ?? sampleOf(schema ?? {}, random), random)
      : naughtyValue(random);
  };
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = touched.has(name) && random.chance(0.5) ? naughtyText(random) : (input[name] ?? 'x');
    return random.chance(0.02) ? '%zz' : encodeURIComponent(toText(value));
  });
  const query = call.queryFields.flatMap((name) => {
    const value = valueOf(name, undefined);
    return value === undefined ? [] : [[queryName(name, random), toText(value).slice(0, 6_000)]];
  });
  const search = new URLSearchParams(query).toString();
  return {
    method: call.method,
    url: (search === '' ? path : `${path}?${search}`).slice(0, 12_000),
    headers: { ...headers, ...naughtyHeaders(random) },
    ...bodyOf(random, call, valueOf),
  };
}

function bodyOf(
  random: Random,
  { method, body }: FuzzCall,
  valueOf: (name: string, schema: JsonSchema) => unknown,
): { body: string | Buffer | undefined } {
  if (method === 'GET' || (body === undefined && random.chance(0.9))) return { body: undefined };
  if (random.chance(0.04)) return { body: random.pick(rawBodies)() };
  const entries = Object.entries(body?.properties ?? {}).map(([name, schema]) => [
    name,
    valueOf(name, schema),
  ]);
  if (random.chance(0.1))
    entries.push([random.pick(['__proto__', 'constructor', 'status', 'no_such']), naughtyValue(random)]);
  return { body: JSON.stringify(Object.fromEntries(entries)) };
}

const rawBodies: (() => string | Buffer)[] = [
  () => '{',
  () => '[]',
  () => '"text"',
  () => 'null',
  () => '0',
  () => '{"name":"a","name":"b"}',
  () => '{"__proto__":{"isAdmin":true}}',
  () => '['.repeat(100_000),
  () => '{"a":'.repeat(50_000),
  () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  () => `{"name":"${'a'.repeat(1_100_000)}"}`,
  () => `{"name":1e999}`,
  () => `${' '.repeat(10_000)}{}`,
];

function naughtyHeaders(random: Random): Record<string, string> {
  if (!random.chance(0.1)) return {};
  const value = random.pick([
    '',
    'x'.repeat(300),
    'x'.repeat(9_000),
    '\'"<>',
    '\u00ff\u00fe',
    ',;,;',
    '*;q=a',
    '%00',
  ]);
  const name = random.pick([
    'idempotency-key',
    'accept-language',
    'user-agent',
    'accept',
    'accept-encoding',
    'x-forwarded-for',
    'referer',
    'range',
    'if-none-match',
    'authorization',
    'cookie',
  ]);
  return { [name]: value };
}

const queryName = (name: string, random: Random): string =>
  random.chance(0.95)
    ? name
    : random.pick([`${name}[]`, `${name}[a]`, `${name}[__proto__]`, `${name}[99999999]`, `[${name}`]);

const toText = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();

/** @returns a value that is valid or nearly valid for a schema */
function sampleOf(schema: JsonSchema, random: Random): unknown {
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  if (schema.anyOf !== undefined) return sampleOf(random.pick(schema.anyOf), random);
  switch (schema.type) {
    case 'string':
      return schema.format === 'uuid' ? '019b0000-0000-7000-8000-000000000000' : 'sample';
    case 'number':
    case 'integer':
      return (schema.minimum ?? 0) + random.below(3);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: random.below(3) }, () => sampleOf(schema.items ?? {}, random));
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [name, sampleOf(property, random)]),
      );
  }
}

/** Replaces one part of a value. */
function mutate(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0) {
    const at = random.below(value.length);
    return value.map((entry, index) => (index === at ? mutate(entry, random) : entry));
  }
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    const at = random.pick(Object.keys(value));
    return { ...value, [at]: mutate((value as Record<string, unknown>)[at], random) };
  }
  if (typeof value !== 'string') return naughtyValue(random);
  return random.pick([
    () => `${value}${naughtyText(random)}`,
    // Keeps the form of ids, times and cursors, with parts that are out of range.
    () => value.replaceAll(/\d/g, random.pick(['9', '0'])),
    () => naughtyValue(random),
  ])();
}

export interface FuzzResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  elapsedMs: number;
}

/** Creates a client that sends requests over HTTP, with its own connections. */
export function createFuzzClient(port: number, { timeoutMs }: { timeoutMs: number }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  return {
    send: ({ method, url, headers, body }: FuzzRequest): Promise<FuzzResponse> => {
      const startedAt = performance.now();
      return new Promise((resolve, reject) => {
        const request = sendRequest(
          {
            agent,
            port,
            host: '127.0.0.1',
            method,
            path: url,
            headers: {
              ...headers,
              ...(body === undefined
                ? {}
                : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
            },
            signal: AbortSignal.timeout(timeoutMs),
          },
          (response) => {
            const finish = (text: string) =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                body: text,
                elapsedMs: performance.now() - startedAt,
              });
            // Streams do not end by themselves.
            if (response.headers['content-type']?.startsWith('text/event-stream') === true) {
              response.destroy();
              finish('');
              return;
            }
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('end', () => finish(Buffer.concat(chunks).toString()));
            response.on('error', reject);
          },
        );
        request.on('error', reject);
        request.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

/** @returns the random source of one request, which does not depend on the requests before it */
export const randomOf = (seed: number, index: number): Random =>
  createRandom(seed + Math.imul(index, 0x9e3779b1));
