import { sql, type RawBuilder } from 'kysely';
import { systemFields, type Comparison, type RuleNode } from '../backend/filter-rule.ts';
import type { TextMatch } from '../backend/rule-operators.ts';
import type { RuleField, RuleValue, Shift } from '../backend/rule-values.ts';

/**
 * Translates a rule into a condition on `content_items item` (callers must use this alias). All values and field names
 * are bound parameters. Null semantics are those of SQL: a comparison with an absent value is null, and null does not
 * match. This also holds for negated operators, because the language has no `not` that could invert a null.
 */
export function ruleToSql(node: RuleNode): RawBuilder<boolean> {
  const condition = nodeToSql(node);
  if (countConditions(node) <= maxPlainConditions) return condition;
  // Each use of a stored document decompresses it, which takes 30 ms for 1 MB. The concatenation does so once, and
  // `offset 0` keeps PostgreSQL from repeating it in each condition. For short rules this costs more than it saves.
  return sql`(select ${condition} from (
    select item.id, item.data || '{}'::jsonb as data, item.user_created, item.date_created, item.date_updated offset 0
  ) item)`;
}

const maxPlainConditions = 16;

const countConditions = (node: RuleNode): number =>
  'nodes' in node ? node.nodes.reduce((sum, child) => sum + countConditions(child), 0) : 1;

function nodeToSql(node: RuleNode): RawBuilder<boolean> {
  switch (node.kind) {
    case 'all':
      return joined(node.nodes, sql` and `);
    case 'any':
      return joined(node.nodes, sql` or `);
    case 'nothing':
      return sql`false`;
    case 'remote':
      throw new Error('A condition of a Directus has no SQL.');
    case 'null':
      return sql`(${textOf(node.field)} is ${node.negated ? sql`not null` : sql`null`})`;
    case 'empty':
      return node.negated
        ? sql`(${textOf(node.field)} <> '')`
        : sql`(coalesce(${textOf(node.field)}, '') = '')`;
    case 'compare':
      return sql`(${expressionOf(node.field)} ${symbols[node.operator]} ${valueOf(node.field, node.value)})`;
    case 'in':
      return inList(node.field, node.negated, node.values);
    case 'between':
      return sql`(${expressionOf(node.field)} ${node.negated ? sql`not between` : sql`between`}
        ${valueOf(node.field, node.low)} and ${valueOf(node.field, node.high)})`;
    default:
      return textCondition(node);
  }
}

/**
 * Matches items with a text field that contains the text, ignoring case, or a numeric field that is equal to it.
 * @param search  a single line: values are joined with line feeds, so that no match spans two of them
 */
export function searchToSql(search: string, fields: readonly RuleField[]): RawBuilder<boolean> {
  const texts = fields.filter(({ type }) => isTextual(type)).map(searchedText);
  const conditions = [
    ...(texts.length > 0
      ? [sql<boolean>`strpos(lower(concat_ws(E'\n', ${sql.join(texts)})), lower(${search}::text)) > 0`]
      : []),
    ...(/^-?\d{1,30}(?:\.\d{1,30})?$/.test(search)
      ? fields
          .filter(({ type }) => isNumeric(type))
          .map((field) => sql<boolean>`${expressionOf(field)} = ${search}::numeric`)
      : []),
  ];
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

/** The sort key of items: numbers as numbers, everything else as text. */
export const sortKeyToSql = (field: RuleField): RawBuilder<unknown> => {
  if (isStamp(field)) return sql.ref(`item.${field.name}`);
  return isNumeric(field.type) ? expressionOf(field) : textOf(field);
};

/** The value as JSON, for grouping; null if there is none. */
export const groupKeyToSql = (field: RuleField): RawBuilder<unknown> =>
  systemFields.some(({ name }) => name === field.name)
    ? sql`to_jsonb(${textOf(field)})`
    : sql`nullif(item.data -> ${field.name}::text, 'null'::jsonb)`;

/** Whether a field is a timestamp column, so that sorting by it can use an index. */
export const isStamp = ({ name, type }: RuleField): boolean =>
  type === 'timestamp' && systemFields.some((field) => field.name === name);

const symbols: Record<Comparison, RawBuilder<unknown>> = {
  eq: sql`=`,
  neq: sql`<>`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
};

const joined = (nodes: RuleNode[], separator: RawBuilder<unknown>): RawBuilder<boolean> =>
  nodes.length === 0 ? sql`true` : sql`(${sql.join(nodes.map(nodeToSql), separator)})`;

export const isNumeric = (type: RuleField['type']): boolean =>
  type === 'integer' || type === 'bigInteger' || type === 'float' || type === 'decimal';

const isTextual = (type: RuleField['type']): boolean =>
  type === 'string' || type === 'text' || type === 'csv';

/** The stored value as text; null when it is absent. */
function textOf({ name, type }: RuleField): RawBuilder<unknown> {
  if (systemFields.some((field) => field.name === name)) {
    const column = sql.ref(`item.${name}`);
    return type === 'timestamp'
      ? sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
      : sql`${column}::text`;
  }
  if (type === 'csv') {
    return sql`case when jsonb_typeof(item.data -> ${name}::text) = 'array'
      then array_to_string(array(select jsonb_array_elements_text(item.data -> ${name}::text)), ',') end`;
  }
  return sql`item.data ->> ${name}::text`;
}

/**
 * The stored value in the form that comparisons use. Dates and times are fixed-width text and sort by character, in any
 * locale because of `collate "C"`. The guards keep a value of another type, left over from before a field was changed,
 * from failing the whole statement.
 */
function expressionOf(field: RuleField): RawBuilder<unknown> {
  const { name, type } = field;
  if (type === 'decimal') {
    return sql`case when item.data ->> ${name}::text ~ '^-?\\d+(\\.\\d+)?$' then (item.data ->> ${name}::text)::numeric end`;
  }
  if (isNumeric(type)) {
    return sql`case when jsonb_typeof(item.data -> ${name}::text) = 'number' then (item.data -> ${name}::text)::numeric end`;
  }
  const isTime = type === 'date' || type === 'dateTime' || type === 'timestamp' || type === 'time';
  return isTime ? sql`(${textOf(field)}) collate "C"` : sql`(${textOf(field)})`;
}

function valueOf({ type }: RuleField, value: RuleValue): RawBuilder<unknown> {
  if (typeof value === 'object') return nowOf(type, value.now);
  return isNumeric(type) ? sql`${value}::numeric` : sql`${value}::text`;
}

const clockForms: Record<string, string> = {
  date: 'YYYY-MM-DD',
  dateTime: 'YYYY-MM-DD"T"HH24:MI:SS',
  timestamp: 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"',
  time: 'HH24:MI:SS',
};

const units: Record<Shift['unit'], RawBuilder<unknown>> = {
  year: sql`interval '1 year'`,
  month: sql`interval '1 month'`,
  week: sql`interval '1 week'`,
  day: sql`interval '1 day'`,
  hour: sql`interval '1 hour'`,
  minute: sql`interval '1 minute'`,
  second: sql`interval '1 second'`,
};

/** Uses a subquery, which PostgreSQL evaluates once instead of for each row. */
function nowOf(type: string, shift: Shift | undefined): RawBuilder<unknown> {
  const moved =
    shift === undefined ? sql`` : sql` + ${shift.amount}::double precision * ${units[shift.unit]}`;
  return sql`(select to_char((now() at time zone 'UTC')${moved}, ${clockForms[type]}::text))`;
}

function inList(field: RuleField, negated: boolean, values: RuleValue[]): RawBuilder<boolean> {
  const texts = values.filter((value) => typeof value === 'string');
  const expression = expressionOf(field);
  if (texts.length < values.length) {
    const list = sql.join(values.map((value) => valueOf(field, value)));
    return sql`(${expression} ${negated ? sql`not in` : sql`in`} (${list}))`;
  }
  const array = isNumeric(field.type) ? sql`${texts}::numeric[]` : sql`${texts}::text[]`;
  return negated ? sql`(${expression} <> all (${array}))` : sql`(${expression} = any (${array}))`;
}

/** Characters of a value that are searched: the cost grows with the length, and a search in it cannot be interrupted. */
export const searchedLength = 10_000;

const searchedText = (field: RuleField): RawBuilder<unknown> =>
  sql`left(${textOf(field)}, ${sql.lit(searchedLength)})`;

/** Uses functions instead of LIKE, so that `%` and `_` have no special meaning. */
function textCondition(node: Extract<RuleNode, { kind: 'text' }>): RawBuilder<boolean> {
  const fold = (text: RawBuilder<unknown>) => (node.ignoreCase ? sql`lower(${text})` : text);
  const found = textMatches[node.match](fold(searchedText(node.field)), fold(sql`${node.text}::text`));
  return node.negated ? sql`(not ${found})` : found;
}

type Match = (text: RawBuilder<unknown>, part: RawBuilder<unknown>) => RawBuilder<boolean>;
const textMatches: Record<TextMatch, Match> = {
  contains: (text, part) => sql`(strpos(${text}, ${part}) > 0)`,
  starts_with: (text, part) => sql`starts_with(${text}, ${part})`,
  ends_with: (text, part) => sql`(right(${text}, length(${part})) = ${part})`,
};
