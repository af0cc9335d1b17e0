import type { FieldBounds } from '@reachout/contract/input-bounds.ts';

// A control has '' where a record has null: nothing was typed or chosen.

/** @returns the value of a control for a field without a stored value */
export function emptyValue(bounds: FieldBounds | undefined): unknown {
  if (bounds?.initial !== undefined) return toFormValue(bounds.initial, bounds);
  return bounds?.type === 'boolean' ? false : bounds?.type === 'list' ? [] : '';
}

export const toFormValue = (stored: unknown, bounds: FieldBounds | undefined): unknown =>
  stored === null || stored === undefined
    ? bounds?.type === 'list'
      ? []
      : bounds?.type === 'boolean'
        ? false
        : ''
    : stored;

/** The text that is sent: lines of text are trimmed, as the server does; texts of many lines and passwords stay as they are. */
export const typedText = (value: string, bounds: FieldBounds | undefined): string =>
  bounds?.format === 'multi-line' || bounds?.format === 'password' ? value : value.trim();

/** @returns undefined where the operation is to get none */
export function toInputValue(value: unknown, bounds: FieldBounds | undefined): unknown {
  const isEmpty = isEmptyValue(value);
  if (isEmpty && bounds?.nullable) return null;
  if (isEmpty && (bounds?.omitted || bounds?.type === 'number')) return undefined;
  if (typeof value !== 'string') return value;
  return bounds?.type === 'number' ? Number(value) : typedText(value, bounds);
}

export const isEmptyValue = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

export const isNumberWithin = (value: number, { min, max, decimals }: FieldBounds): boolean =>
  !Number.isNaN(value) &&
  value >= (min ?? -Infinity) &&
  value <= (max ?? Infinity) &&
  (decimals === undefined || Number(value.toFixed(decimals)) === value);
