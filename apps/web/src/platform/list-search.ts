import { keepPreviousData } from '@tanstack/react-query';
import { cutText } from '@reachout/contract/rules/cut-text.ts';

/** URL parameters of every list. An absent one means the default, so that default URLs have no parameters. */
export interface ListSearch<Order extends string = never> {
  search?: string;
  /** 1-based; requests are 0-based. */
  page?: number;
  order?: Order;
}

/** Changes to URL parameters; undefined removes one. */
export type Change<T> = { [K in keyof T]?: T[K] | undefined };

/** Parameters that a layout reads for all pages below it; every link preserves them. */
const layoutParts: readonly string[] = ['client'];

/** Whether a navigation leaves the page: to another path, or to the same path for other records. */
export const leavesPage = (
  from: { pathname: string; search: object },
  to: { pathname: string; search: object },
): boolean =>
  from.pathname !== to.pathname ||
  layoutParts.some((part) => Reflect.get(from.search, part) !== Reflect.get(to.search, part));

/**
 * For `validateSearch`. The router merges the result over the raw parameters, so an omitted value would pass through
 * unchecked. Here everything that `read` does not return is removed, except for the layouts' parameters.
 */
export function checked<T extends object>(
  read: (raw: Record<string, unknown>) => T,
): (raw: Record<string, unknown>) => T {
  return (raw) => {
    const ownKeys = Object.keys(raw).filter((key) => !layoutParts.includes(key));
    return { ...Object.fromEntries(ownKeys.map((key) => [key, undefined])), ...read(raw) };
  };
}

/**
 * Parses a list's URL parameters; invalid values are dropped without an error.
 * @param columns  columns by which the list can be sorted
 */
export function readListSearch<const Column extends string = never>(
  raw: Record<string, unknown>,
  columns: readonly Column[] = [],
): ListSearch<`${Column}.${'asc' | 'desc'}`> {
  const read: ListSearch<`${Column}.${'asc' | 'desc'}`> = {};
  if (typeof raw['search'] === 'string' && raw['search'].trim() !== '')
    read.search = cutText(raw['search'], 200);
  const page = Number(raw['page']);
  if (Number.isInteger(page) && page > 1 && page <= 100_000) read.page = page;
  const orders = columns.flatMap((column) => [`${column}.asc`, `${column}.desc`] as const);
  const order = readChoice(raw['order'], orders);
  return order === undefined ? read : { ...read, order };
}

interface ListOptions<Column extends string, Filters extends object> {
  pageSize: number;
  isSearchable?: boolean;
  sortBy?: readonly Column[];
  /** Sort order if the URL contains none. */
  defaultOrder?: `${NoInfer<Column>}.${'asc' | 'desc'}`;
  /** Parses the further URL parameters. */
  filters?: (raw: Record<string, unknown>) => Filters;
}

/**
 * Defines a list whose search, order and page are stored in the URL: its route parses them, its query sends them, and
 * `ListPage` displays them.
 */
export function defineList<const Column extends string = never, Filters extends object = object>(
  options: ListOptions<Column, Filters>,
) {
  const { pageSize, isSearchable = false, sortBy, defaultOrder, filters } = options;
  type Order = `${Column}.${'asc' | 'desc'}`;
  type Search = ListSearch<Order> & Filters;
  /** The part of the operation's input that all lists share. */
  const input = ({ search, page = 1, order = defaultOrder }: ListSearch<Order>) =>
    compact({ search, order, page: page - 1, page_size: pageSize });
  return {
    pageSize,
    isSearchable,
    defaultOrder,
    /** For the route: its loader receives the search parameters as `deps`. */
    route: {
      validateSearch: checked((raw): Search => {
        const { search, ...rest } = readListSearch(raw, sortBy);
        const known = isSearchable && search !== undefined ? { ...rest, search } : rest;
        return { ...known, ...filters?.(raw) } as Search;
      }),
      loaderDeps: ({ search }: { search: Search }) => search,
    },
    /** Options of its query. Rows stay until those of the next page are there. @param own  the input of this list alone */
    query: <const Own extends object>(search: ListSearch<Order>, own: Own) => ({
      input: compact({ ...own, ...input(search) }),
      placeholderData: keepPreviousData,
    }),
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The value if it is the id of a record, otherwise undefined. */
export const readUuid = (value: unknown): string | undefined =>
  typeof value === 'string' && uuid.test(value) ? value : undefined;

/** The value if it is one of the choices, otherwise undefined. */
export function readChoice<const T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

/** The parsed URL parameters of a list. */
export type SearchOf<List extends { route: { validateSearch: (raw: Record<string, unknown>) => object } }> =
  ReturnType<List['route']['validateSearch']>;

/** Removes undefined values, as required by `exactOptionalPropertyTypes` and for clean URLs. */
export function compact<T extends object>(value: T): Compact<T> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as never;
}

type Optional<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

type Compact<T> = Flat<Omit<T, Optional<T>> & { [K in Optional<T>]?: Exclude<T[K], undefined> }>;

type Flat<T> = { [K in keyof T]: T[K] };
