import type { FieldType } from '@reachout/contract/content-fields.ts';

export type TextMatch = 'contains' | 'starts_with' | 'ends_with';

export const textOperators: Readonly<
  Record<string, { match: TextMatch; ignoreCase: boolean; negated: boolean }>
> = {
  _contains: { match: 'contains', ignoreCase: false, negated: false },
  _ncontains: { match: 'contains', ignoreCase: false, negated: true },
  _icontains: { match: 'contains', ignoreCase: true, negated: false },
  _starts_with: { match: 'starts_with', ignoreCase: false, negated: false },
  _nstarts_with: { match: 'starts_with', ignoreCase: false, negated: true },
  _istarts_with: { match: 'starts_with', ignoreCase: true, negated: false },
  _nistarts_with: { match: 'starts_with', ignoreCase: true, negated: true },
  _ends_with: { match: 'ends_with', ignoreCase: false, negated: false },
  _nends_with: { match: 'ends_with', ignoreCase: false, negated: true },
  _iends_with: { match: 'ends_with', ignoreCase: true, negated: false },
  _niends_with: { match: 'ends_with', ignoreCase: true, negated: true },
};

export const equality = ['_eq', '_neq'];
export const lists = ['_in', '_nin'];
export const nullness = ['_null', '_nnull'];
export const emptiness = ['_empty', '_nempty'];
const ofText = [...equality, ...lists, ...nullness, ...emptiness, ...Object.keys(textOperators)];
const ordered = [...equality, '_lt', '_lte', '_gt', '_gte', '_between', '_nbetween', ...lists, ...nullness];

/** As in Directus: ordering operators only for ordered types, emptiness only for types that allow empty text. */
export const operatorsByType: Record<FieldType, readonly string[]> = {
  string: ofText,
  text: ofText,
  csv: ofText,
  integer: ordered,
  bigInteger: ordered,
  float: ordered,
  decimal: ordered,
  date: ordered,
  dateTime: ordered,
  time: ordered,
  timestamp: [...ordered, '_contains', '_ncontains', ...emptiness],
  uuid: [...equality, ...lists, ...nullness],
  boolean: [...equality, ...nullness],
  json: nullness,
};

export const knownOperators = new Set(Object.values(operatorsByType).flat());

const days: readonly FieldType[] = ['date', 'dateTime', 'timestamp'];
const times: readonly FieldType[] = ['dateTime', 'timestamp', 'time'];

/** Functions of a Directus, with the types of fields that they take; `count` also takes a list of related items. */
export const ruleFunctions: ReadonlyMap<string, readonly FieldType[]> = new Map([
  ...['year', 'month', 'week', 'day', 'weekday'].map((name) => [name, days] as const),
  ...['hour', 'minute', 'second'].map((name) => [name, times] as const),
  ['count', ['json']],
]);
