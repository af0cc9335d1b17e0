import type { OpenAPI } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { documented } from '@reachout/contract/values.ts';

/** Makes JSON Schema of the schemas of the contract, with the keywords that the contract adds to them. */
export const jsonSchemaConverter = new ZodToJsonSchemaConverter({
  interceptors: [
    (converted) => {
      const [required, json] = converted.next();
      const { or, ...keywords } = documented.get(converted.schema) ?? {};
      const full = { ...(json as object), ...keywords };
      if (or === undefined) return [required, full];
      return [required, { anyOf: [...('anyOf' in full ? (full.anyOf as object[]) : [full]), ...or] }];
    },
  ],
});

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
