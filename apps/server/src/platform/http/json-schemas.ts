import type { OpenAPI } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { documented } from '@reachout/contract/values.ts';
import type { z } from 'zod';

/** Converts the contract's schemas to JSON Schema, with the keywords that the contract adds. */
export const jsonSchemaConverter = new ZodToJsonSchemaConverter({
  interceptors: [
    (converted) => {
      const [required, json] = converted.next();
      // A reference to a component, which has them.
      if (typeof json === 'object' && '$ref' in json) return [required, json];
      const { or, instead, ...keywords } = documented.get(converted.schema) ?? {};
      if (instead !== undefined) return [required, instead];
      const full = { ...(json as object), ...keywords };
      if (or === undefined) return [required, full];
      return [required, { anyOf: [...('anyOf' in full ? (full.anyOf as object[]) : [full]), ...or] }];
    },
  ],
});

/** Type of handwritten parts of the document, because the generator's types mix OpenAPI 3.0 and 3.1. */
export interface PlainSchema {
  readonly [keyword: string]: unknown;
}
export type PlainPaths = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** Converts the schema of a route that is not an operation of the contract. */
export const toJsonSchema = (schema: z.ZodType, strategy: 'input' | 'output') =>
  jsonSchemaConverter.convert(schema, { strategy })[1] as PlainSchema;

/** Removes `allowEmptyValue`, which the generator adds: empty query parameters are not valid. */
export function refuseEmptyParameters(document: OpenAPI.Document): void {
  for (const operations of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(operations ?? {}) as OpenAPI.OperationObject[]) {
      for (const parameter of operation.parameters ?? [])
        if ('allowEmptyValue' in parameter) delete parameter.allowEmptyValue;
    }
  }
}

/**
 * Describes the events of streams as they are received: `data` is text that contains JSON (OpenAPI 3.2, "Special
 * considerations for Server-Sent Events"). The generator describes them as its own client returns them.
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
