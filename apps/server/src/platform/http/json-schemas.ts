import type { OpenAPI } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { maxBodyEntries, maxBodyKeys, maxJsonLength } from '@reachout/contract/rules/lengths.ts';
import { documented } from '@reachout/contract/values.ts';
import type { z } from 'zod';

/** Makes JSON Schema of the schemas of the contract, with the keywords that the contract adds to them. */
export const jsonSchemaConverter = new ZodToJsonSchemaConverter({
  interceptors: [
    (converted) => {
      const [required, json] = converted.next();
      const { or, instead, ...keywords } = documented.get(converted.schema) ?? {};
      if (instead !== undefined) return [required, instead];
      const full = { ...(json as object), ...keywords };
      if (or === undefined) return [required, full];
      return [required, { anyOf: [...('anyOf' in full ? (full.anyOf as object[]) : [full]), ...or] }];
    },
  ],
});

/** Parts of the document that are written by hand: the types of the generator mix OpenAPI 3.0 and 3.1. */
export interface PlainSchema {
  readonly [keyword: string]: unknown;
}
export type PlainPaths = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** For routes that are no operations of the contract. */
export const toJsonSchema = (schema: z.ZodType, strategy: 'input' | 'output') =>
  jsonSchemaConverter.convert(schema, { strategy })[1] as PlainSchema;

/** A keyword that the types of the generator do not have yet. */
const storableKeys = { propertyNames: { pattern: String.raw`^[^\u0000]*$` } };

/** What `plainJson` takes, within the limits of a body. */
export const jsonComponent: OpenAPI.SchemaObject = {
  anyOf: [
    { type: 'string', maxLength: maxJsonLength, pattern: String.raw`^[^\u0000]*$` },
    { type: 'number', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'boolean' },
    { type: 'null' },
    { type: 'array', maxItems: maxBodyEntries, items: { $ref: '#/components/schemas/Json' } },
    {
      type: 'object',
      maxProperties: maxBodyKeys,
      ...storableKeys,
      additionalProperties: { $ref: '#/components/schemas/Json' },
    },
  ],
};

/** A parameter of a query that is there and empty is not valid, whatever the generator says. */
export function refuseEmptyParameters(document: OpenAPI.Document): void {
  for (const operations of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(operations ?? {}) as OpenAPI.OperationObject[]) {
      for (const parameter of operation.parameters ?? [])
        if ('allowEmptyValue' in parameter) delete parameter.allowEmptyValue;
    }
  }
}

/**
 * Says of the events of streams what a client receives: `data` is a text, and that text is JSON (OpenAPI 3.2,
 * "Special considerations for Server-Sent Events"). The generator describes them as its own client hands them over.
 */
export function describeEventsAsText(document: OpenAPI.Document): void {
  for (const operations of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(operations ?? {}) as OpenAPI.OperationObject[]) {
      for (const response of Object.values(operation.responses ?? {})) {
        const media = 'content' in response ? response.content?.['text/event-stream'] : undefined;
        if (media?.schema === undefined) continue;
        const { oneOf: events = [] } = media.schema as { oneOf?: { properties: Record<string, unknown> }[] };
        for (const { properties } of events) {
          properties['data'] = {
            type: 'string',
            contentMediaType: 'application/json',
            contentSchema: properties['data'],
          };
        }
      }
    }
  }
}
