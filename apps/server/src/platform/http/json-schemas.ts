import type { OpenAPI } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { documented } from '@reachout/contract/values.ts';

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

/**
 * Describes forms, which carry files, as what they are: the generator adds them as JSON as well, and does not say that other values
 * than texts are JSON.
 */
export function describeForms(document: OpenAPI.Document): void {
  for (const operations of Object.values(document.paths ?? {})) {
    for (const { requestBody } of Object.values(operations ?? {}) as OpenAPI.OperationObject[]) {
      const { content } = (requestBody ?? {}) as Partial<OpenAPI.RequestBodyObject>;
      const form = content?.['multipart/form-data'];
      if (content === undefined || form === undefined) continue;
      delete content['application/json'];
      const { properties = {} } = form.schema as { properties?: Record<string, { type?: unknown }> };
      const values = Object.keys(properties).filter((name) =>
        ['object', 'array'].includes(String(properties[name]?.type)),
      );
      if (values.length > 0)
        form.encoding = Object.fromEntries(values.map((name) => [name, { contentType: 'application/json' }]));
    }
  }
}

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
