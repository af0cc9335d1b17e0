/** Formats any stored value as one line of text; an empty one as a dash. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(valueText).join(', ');
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return JSON.stringify(value);
}
