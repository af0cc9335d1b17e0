import type { FieldType } from '@reachout/contract/content-fields.ts';
import type { JsonValue } from '../backend/field-values.ts';

const truths = new Map<JsonValue, boolean>([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  [1, true],
  [0, false],
]);

/**
 * Converts a stored value to a form that `type` may accept, without validating it: trims `"12"` for an integer field, makes
 * 12 text for a text field, and splits comma-separated text into a list of tags. Blank text becomes null, except
 * for text, csv and json.
 */
export function convertValue(type: FieldType, value: JsonValue): JsonValue {
  switch (type) {
    case 'string':
    case 'text':
      if (typeof value === 'number' || typeof value === 'boolean') return String(value);
      return isTextList(value) ? value.join(', ') : value;
    case 'csv':
      return typeof value === 'string' ? splitList(value) : value;
    case 'json':
      return value;
    case 'boolean':
      return truths.get(typeof value === 'string' ? value.trim().toLowerCase() : value) ?? blankToNull(value);
    default:
      return blankToNull(typeof value === 'string' ? value.trim() : value);
  }
}

const isTextList = (value: JsonValue): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

const blankToNull = (value: JsonValue): JsonValue =>
  typeof value === 'string' && value.trim() === '' ? null : value;
