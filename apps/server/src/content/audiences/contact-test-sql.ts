import { sql, type RawBuilder } from 'kysely';
import type { ContactTest, ValueTest } from '../../email/merge-tags.ts';
import { isStorable } from '../backend/field-values.ts';
import { whitespace } from './audience-sql.ts';

/**
 * Converts a test to an SQL condition on a column `data` with a contact; it is never null. Extracts values as
 * text and checks the JSON type only if values of different types have the same text. Templates may contain texts
 * that PostgreSQL cannot store.
 * @param test  must not contain `unknown`
 */
export function contactTestToSql(test: ContactTest): RawBuilder<boolean> {
  switch (test.kind) {
    case 'all':
      return sql`(${sql.join(test.tests.map(contactTestToSql), sql` and `)})`;
    case 'any':
      return sql`(${sql.join(test.tests.map(contactTestToSql), sql` or `)})`;
    case 'not':
      return sql`(not ${contactTestToSql(test.test)})`;
    case 'equals':
      return typeof test.value === 'string' && !isStorable(test.value)
        ? sql.lit(false)
        : sql`coalesce(${valueAt(test.path)} = ${JSON.stringify(test.value)}::jsonb, false)`;
    case 'constant':
      return sql.lit(test.value);
    case 'unknown':
      throw new Error('What only rendering tells is no condition.');
    default:
      return valueTests[test.kind](textAt(test.path), sql`jsonb_typeof(${valueAt(test.path)})`);
  }
}

type Part = RawBuilder<unknown>;

const valueTests: Record<ValueTest, (text: Part, type: Part) => RawBuilder<boolean>> = {
  blank: (text, type) => sql`(case btrim(coalesce(${text}, ''), ${sql.lit(whitespace)})
    when '' then true when '[]' then ${type} = 'array' else false end)`,
  unset: (text, type) => sql`(case coalesce(${text}, '')
    when '' then true when 'false' then ${type} = 'boolean' when '[]' then ${type} = 'array' else false end)`,
  truthy: (text, type) => sql`(case coalesce(${text}, '')
    when '' then ${text} is not null when 'false' then ${type} <> 'boolean' else true end)`,
  empty: (text, type) => sql`(case coalesce(${text}, ' ')
    when '' then true when '[]' then ${type} = 'array' when '{}' then ${type} = 'object' else false end)`,
  null: (text) => sql`(${text} is null)`,
};

const valueAt = (path: readonly string[]): Part =>
  !path.every(isStorable)
    ? sql`null::jsonb`
    : path.length === 1
      ? sql`data -> ${path[0]}::text`
      : sql`data #> ${path}::text[]`;

const textAt = (path: readonly string[]): Part =>
  !path.every(isStorable)
    ? sql`null::text`
    : path.length === 1
      ? sql`data ->> ${path[0]}::text`
      : sql`data #>> ${path}::text[]`;
