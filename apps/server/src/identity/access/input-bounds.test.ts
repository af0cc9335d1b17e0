import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { jsonSchemaConverter } from '../../platform/http/json-schemas.ts';
import { contractOperations } from '../../testing/contract-calls.ts';

interface JsonSchema {
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  description?: string;
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  maxProperties?: number;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | false;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

suite('input bounds', () => {
  test('every text, list, object and number has bounds (INP-1)', () => {
    const unbounded = contractOperations.flatMap(({ name, input }) => {
      if (input === undefined) return [];
      const [, schema] = jsonSchemaConverter.convert(input, { strategy: 'input' });
      return [...findUnbounded(schema as JsonSchema, name)];
    });
    assert.deepEqual(unbounded, []);
  });
});

function* findUnbounded(schema: JsonSchema, path: string): Generator<string> {
  if (schema.enum !== undefined || 'const' in schema || schema.type === 'boolean' || schema.type === 'null')
    return;
  // JSON of any shape has a limit of its total length.
  if (schema.description?.endsWith('characters as JSON text.') === true) return;
  if (schema.anyOf !== undefined) {
    for (const [index, option] of schema.anyOf.entries()) yield* findUnbounded(option, `${path}|${index}`);
    return;
  }
  switch (schema.type) {
    case 'string':
      if (schema.maxLength === undefined && schema.format !== 'uuid') yield path;
      return;
    case 'number':
    case 'integer':
      if (schema.minimum === undefined || schema.maximum === undefined) yield path;
      return;
    case 'array':
      if (schema.maxItems === undefined) yield path;
      yield* findUnbounded(schema.items ?? {}, `${path}[]`);
      return;
    case 'object':
      for (const [key, value] of Object.entries(schema.properties ?? {}))
        yield* findUnbounded(value, `${path}.${key}`);
      if (schema.additionalProperties === false) return;
      if (schema.maxProperties === undefined) yield path;
      yield* findUnbounded(schema.propertyNames ?? {}, `${path}.{}`);
      yield* findUnbounded(schema.additionalProperties ?? {}, `${path}.*`);
      return;
    default:
      yield path;
  }
}
