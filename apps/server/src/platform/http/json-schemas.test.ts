import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { oc, eventIterator } from '@orpc/contract';
import { OpenAPIGenerator } from '@orpc/openapi';
import { email, name, optional, phone, webAddress } from '@reachout/contract/values.ts';
import { z } from 'zod';
import { describeEventsAsText, jsonSchemaConverter } from './json-schemas.ts';

suite('API reference', () => {
  test('the reference has the limits of inputs', () => {
    const inputs = [
      '',
      ' ',
      '\n',
      'Ada',
      ' Ada\n',
      'A\0da',
      'A\nda',
      'x'.repeat(121),
      '😀'.repeat(120),
      '+49 30 1234',
    ];
    inputs.push(
      '12345',
      '1    ',
      'a@b.example',
      ' a@b.example ',
      'a..b@c.example',
      'a@b',
      'https://b.example/?c d',
    );
    inputs.push('HTTP://b.example', 'https://b', 'ftp://b.example', 'https://b.example:80', '😀'.repeat(121));
    const schemas = { name, email, phone, webAddress, optionalPhone: optional(phone) };
    for (const [key, schema] of Object.entries(schemas)) {
      const [, json] = jsonSchemaConverter.convert(schema, { strategy: 'input' });
      for (const input of inputs) {
        assert.equal(
          isAllowed(json as JsonSchema, input),
          schema.safeParse(input).success,
          `${key}: ${JSON.stringify(input)}`,
        );
      }
    }
  });

  test('the reference describes stream events', async () => {
    const document = await new OpenAPIGenerator({ schemaConverters: [jsonSchemaConverter] }).generate(
      {
        watch: oc
          .route({ method: 'GET', path: '/watch' })
          .output(eventIterator(z.object({ done: z.boolean() }))),
      },
      { info: { title: 'Test', version: '0' } },
    );
    describeEventsAsText(document);
    const response = document.paths?.['/watch']?.get?.responses?.['200'];
    assert.ok(response !== undefined && 'content' in response);
    const media = response.content?.['text/event-stream'];
    const { oneOf } = (media?.schema ?? {}) as { oneOf: { properties: { data: unknown } }[] };
    assert.deepEqual(oneOf[0]?.properties.data, {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] },
    });
    for (const { properties } of oneOf) assert.equal((properties.data as { type: string }).type, 'string');
  });
});

interface JsonSchema {
  anyOf?: JsonSchema[];
  type?: string;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** Validates a text as a JSON Schema validator does. */
function isAllowed(
  { anyOf, type, minLength = 0, maxLength = Infinity, pattern = '' }: JsonSchema,
  text: string,
): boolean {
  if (anyOf !== undefined) return anyOf.some((schema) => isAllowed(schema, text));
  const length = Array.from(text).length;
  return (
    type === 'string' && length >= minLength && length <= maxLength && new RegExp(pattern, 'u').test(text)
  );
}
