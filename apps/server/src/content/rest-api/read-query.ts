import { cutText } from '@reachout/contract/rules/cut-text.ts';
import type { FastifyRequest } from 'fastify';
import qs from 'qs';
import { invalidInput } from '../../platform/http/api-error.ts';
import {
  aggregateFunctions,
  invalidQuery,
  UnknownField,
  type AggregateQuery,
} from '../backend/content-backend.ts';

/** Default number of rows of a page, and the maximum. */
export const defaultLimit = 100;
export const maxLimit = 10_000;

const maxSearchLength = 200;
const maxNames = 500;

/** Directus query parameters, parsed and bounded, but not yet checked against the fields of a collection. */
export interface RestQuery {
  /** Undefined: all. */
  fields: readonly string[] | undefined;
  filter: unknown;
  search: string | undefined;
  /** Prefix `-` for descending. */
  sort: readonly string[];
  limit: number;
  offset: number;
  meta: ReadonlySet<Meta>;
  aggregate: AggregateQuery['aggregate'];
  groupBy: readonly string[];
}

const metas = ['total_count', 'filter_count'] as const;
export type Meta = (typeof metas)[number];

/** The path of a request, without its query. */
export const pathOf = ({ url }: Pick<FastifyRequest, 'url'>): string => url.replace(/\?.*$/s, '');

/** The query of a request, as `parseUrlQuery` reads it. @throws `invalid_query` */
export const urlQueryOf = ({ url }: Pick<FastifyRequest, 'url'>): Record<string, unknown> =>
  parseUrlQuery(url.split('?').slice(1).join('?'));

/**
 * Parses the part of a URL after its question mark: comma lists (`fields=id,email`), repeated brackets (`fields[]=id`),
 * JSON (`filter={…}`) and nested brackets (`filter[age][_gt]=3`).
 * @throws `invalid_query`
 */
export const parseUrlQuery = (text: string): Record<string, unknown> => {
  try {
    return qs.parse(text, {
      depth: 10,
      strictDepth: true,
      arrayLimit: 100,
      parameterLimit: 1_000,
      // Otherwise a condition on a field with a name such as `constructor` is dropped, and all items match.
      plainObjects: true,
    });
  } catch {
    throw invalidQuery('Brackets are nested too deeply. Use JSON, or SEARCH with the query in the body.');
  }
};

/**
 * Reads the query of a SEARCH from its body; the query of its URL is ignored.
 * @param maxKeys  maximum items in a response
 * @throws `invalid_input`
 */
export function searchOf(body: unknown, maxKeys: number): Record<string, unknown> {
  const { keys, query } = asRecord(body ?? {});
  if (keys === undefined) return asRecord(query ?? {});
  if (!Array.isArray(keys) || keys.length > maxKeys)
    throw invalidInput('keys', `Use a list of at most ${maxKeys} keys.`);
  return { filter: { id: { _in: keys } }, limit: -1 };
}

function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw invalidInput('', 'Use { query } or { keys }.');
}

/** Converts a query to URL parameters: objects as JSON, lists of names separated by commas. */
export const toUrlQuery = (query: Readonly<Record<string, unknown>>): URLSearchParams =>
  new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, toText(value)]),
  );

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  const isNames = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  return isNames ? value.join(',') : JSON.stringify(value);
}

/** @throws `invalid_query`, UnknownField for fields of other collections */
export function readQuery(given: Readonly<Record<string, unknown>>): RestQuery {
  const limit = readLimit(given['limit']);
  return {
    fields: readFields(given['fields']),
    filter: readJson('filter', given['filter']) ?? {},
    search: readSearch(given['search']),
    sort: readNames('sort', given['sort']),
    limit,
    offset: readOffset(given, limit),
    meta: readMeta(given['meta']),
    aggregate: readAggregate(given['aggregate']),
    groupBy: readNames('groupBy', given['groupBy']),
  };
}

function readFields(given: unknown): string[] | undefined {
  const names = readNames('fields', given);
  // This backend has no relations, so there are no fields behind a dot.
  const behind = names.find((name) => name.includes('.') && !/^(?:\*\.)*\*$/.test(name));
  if (behind !== undefined)
    throw new UnknownField(`fields: There is no field “${cutText(behind, 80)}” in this collection.`);
  return names.length === 0 || names.some((name) => name.includes('*')) ? undefined : names;
}

function readNames(parameter: string, given: unknown): string[] {
  const entries = given === undefined ? [] : [given].flat();
  if (!entries.every((entry) => typeof entry === 'string')) {
    throw invalidQuery(`${parameter}: Use names, separated by commas.`);
  }
  const names = entries
    .flatMap((entry) => entry.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > maxNames) throw invalidQuery(`${parameter}: Use at most ${maxNames} names.`);
  return names;
}

function readJson(parameter: string, given: unknown): unknown {
  if (typeof given !== 'string') return given;
  if (given === '') return undefined;
  try {
    return JSON.parse(given);
  } catch {
    throw invalidQuery(`${parameter}: This is not JSON.`);
  }
}

function readSearch(given: unknown): string | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  if (typeof given !== 'string' && typeof given !== 'number') throw invalidQuery('search: Use a text.');
  // Searched values are joined with line feeds, so the search text must not contain any.
  const text = String(given).replaceAll(/[\r\n\0]+/g, ' ');
  if (text.length > maxSearchLength) throw invalidQuery(`search: Use at most ${maxSearchLength} characters.`);
  return text;
}

/** A missing limit is the default, 0 means no rows, and -1 the maximum. */
function readLimit(given: unknown): number {
  if (given === undefined) return defaultLimit;
  const limit = readWhole('limit', given);
  if (limit < -1) throw invalidQuery('limit: Use -1, 0 or more.');
  if (limit > maxLimit) throw invalidQuery(`limit: Use at most ${maxLimit}.`);
  return limit === -1 ? maxLimit : limit;
}

/** `page` takes precedence over `offset`; it is ignored with limit -1, which requests all rows. */
function readOffset(given: Readonly<Record<string, unknown>>, limit: number): number {
  const { page, offset } = given;
  if (page !== undefined && String(given['limit']) !== '-1') {
    const number = readWhole('page', page);
    if (number < 0) throw invalidQuery('page: Use 1 or more.');
    return Math.max(0, number - 1) * limit;
  }
  const number = readWhole('offset', offset ?? 0);
  if (number < 0) throw invalidQuery('offset: Use 0 or more.');
  return number;
}

function readWhole(parameter: string, given: unknown): number {
  const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : 'none';
  if (text === '') return 0;
  if (!/^-?\d{1,9}$/.test(text)) throw invalidQuery(`${parameter}: Use a whole number.`);
  return Number(text);
}

function readMeta(given: unknown): Set<Meta> {
  const names = readNames('meta', given);
  const unknown = names.find((name) => name !== '*' && !metas.some((meta) => meta === name));
  if (unknown !== undefined) throw invalidQuery('meta: Use total_count, filter_count or *.');
  return new Set(names.includes('*') ? metas : (names as Meta[]));
}

function readAggregate(given: unknown): RestQuery['aggregate'] {
  const parsed = readJson('aggregate', given);
  if (parsed === undefined || parsed === null) return [];
  if (typeof parsed !== 'object' || Array.isArray(parsed)) {
    throw invalidQuery('aggregate: Use an object such as {"count":"*"}.');
  }
  return Object.entries(parsed).flatMap(([name, fields]) => {
    const found = aggregateFunctions.find((known) => known === name);
    if (found === undefined) throw invalidQuery(`aggregate: There is no function ${name}.`);
    return readNames('aggregate', fields).map((field) => ({ function: found, field }));
  });
}
