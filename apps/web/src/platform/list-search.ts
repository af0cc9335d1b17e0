/** What every list keeps in the address. Absent means the default, so that plain addresses stay plain. */
export interface ListSearch<Order extends string = never> {
  search?: string;
  /** 1-based; requests count from 0. */
  page?: number;
  order?: Order;
}

/** Changes to an address; undefined takes a part out. */
export type Change<T> = { [K in keyof T]?: T[K] | undefined };

/** What a layout reads from the address for all pages below it, and every link carries along. */
const layoutParts: readonly string[] = ['client'];

/** Whether going from one address to another leaves the page: another path, or the same for other records. */
export const leavesPage = (
  from: { pathname: string; search: object },
  to: { pathname: string; search: object },
): boolean =>
  from.pathname !== to.pathname ||
  layoutParts.some((part) => Reflect.get(from.search, part) !== Reflect.get(to.search, part));

/**
 * For `validateSearch`. The router lays the result over what the address says, so a value that was only left out
 * would come through unchecked: here everything that `read` does not return is dropped, but for the parts of layouts.
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
 * Reads a list's address; what cannot be used is dropped, never an error.
 * @param columns  by which the list can be ordered
 */
export function readListSearch<const Column extends string = never>(
  raw: Record<string, unknown>,
  columns: readonly Column[] = [],
): ListSearch<`${Column}.${'asc' | 'desc'}`> {
  const read: ListSearch<`${Column}.${'asc' | 'desc'}`> = {};
  if (typeof raw['search'] === 'string' && raw['search'].trim() !== '')
    read.search = raw['search'].slice(0, 200);
  const page = Number(raw['page']);
  if (Number.isInteger(page) && page > 1 && page <= 100_000) read.page = page;
  const orders = columns.flatMap((column) => [`${column}.asc`, `${column}.desc`] as const);
  const order = readChoice(raw['order'], orders);
  return order === undefined ? read : { ...read, order };
}

interface ListOptions<Column extends string, Filters extends object> {
  pageSize: number;
  isSearchable?: boolean;
  /** The columns that can order it. */
  sortBy?: readonly Column[];
  /** The order of an address that names none. */
  defaultOrder?: `${NoInfer<Column>}.${'asc' | 'desc'}`;
  /** What else the address says. */
  filters?: (raw: Record<string, unknown>) => Filters;
}

/**
 * A list whose search, order and page stand in the address: its route reads them, its query sends them, and `ListPage`
 * shows them.
 */
export function defineList<const Column extends string = never, Filters extends object = object>(
  options: ListOptions<Column, Filters>,
) {
  const { pageSize, isSearchable = false, sortBy, defaultOrder, filters } = options;
  type Search = ListSearch<`${Column}.${'asc' | 'desc'}`> & Filters;
  return {
    pageSize,
    defaultOrder,
    /** For the route: its loader gets the search as `deps`. */
    route: {
      validateSearch: checked((raw): Search => {
        const { search, ...rest } = readListSearch(raw, sortBy);
        const known = isSearchable && search !== undefined ? { ...rest, search } : rest;
        return { ...known, ...filters?.(raw) } as Search;
      }),
      loaderDeps: ({ search }: { search: Search }) => search,
    },
    /** The part of the operation's input that every list has. */
    input: ({ search, page = 1, order = defaultOrder }: ListSearch<`${Column}.${'asc' | 'desc'}`>) =>
      compact({ search, order, page: page - 1, page_size: pageSize }),
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of a record, or nothing. */
export const readUuid = (value: unknown): string | undefined =>
  typeof value === 'string' && uuid.test(value) ? value : undefined;

/** One of a closed set, or nothing. */
export function readChoice<const T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

/** What the address says about a list. */
export type SearchOf<List extends { route: { validateSearch: (raw: Record<string, unknown>) => object } }> =
  ReturnType<List['route']['validateSearch']>;

/** Drops undefined values: `exactOptionalPropertyTypes` and tidy addresses both need that. */
export function compact<T extends object>(value: T): Compact<T> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as never;
}

type Optional<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

type Compact<T> = Flat<Omit<T, Optional<T>> & { [K in Optional<T>]?: Exclude<T[K], undefined> }>;

type Flat<T> = { [K in keyof T]: T[K] };
