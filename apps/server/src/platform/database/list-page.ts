import { defaultPageSize } from '@reachout/contract/values.ts';
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';

type Direction = 'asc' | 'desc';

export interface Paging {
  /** 0-based. */
  page: number;
  page_size: number;
}

/** Paging of the contract's `searchPaging`. */
export interface SearchPaging {
  page: number;
  page_size?: number | undefined;
  search?: string | undefined;
}

/** The size of a page if the caller named none. @param searched  that of a search */
export const pageSizeOf = ({ page_size, search }: SearchPaging, searched: number): number =>
  page_size ?? (search === undefined ? defaultPageSize : searched);

/** Splits `name.asc`. The columns come from the allow list of the contract's `order`. */
export function splitOrder<C extends string>(
  order: `${C}.${Direction}`,
): { column: C; direction: Direction } {
  const dot = order.lastIndexOf('.');
  return { column: order.slice(0, dot) as C, direction: order.slice(dot + 1) as Direction };
}

/** Sorts names without regard to case. */
export const ignoringCase = (column: string): RawBuilder<unknown> => sql`lower(${sql.ref(column)})`;

/** Selects one page in a stable order: rows with equal values in the column are sorted by id. */
export const onPage =
  <C extends string>(input: Paging & { order: `${C}.${Direction}` }) =>
  <D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>): SelectQueryBuilder<D, T, O> => {
    const { column, direction } = splitOrder(input.order);
    return query
      .orderBy(column === 'name' ? ignoringCase(column) : sql.ref(column), direction)
      .orderBy(sql.ref('id'), direction)
      .limit(input.page_size)
      .offset(input.page * input.page_size);
  };

/** @returns the number of rows that a query finds, whatever columns it selects */
export async function countRows<D, T extends keyof D, O>(
  query: SelectQueryBuilder<D, T, O>,
): Promise<number> {
  const { count } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .$castTo<{ count: number }>()
    .executeTakeFirstOrThrow();
  return count;
}

/** @returns the ILIKE pattern of a substring search; wildcards in the input are matched literally */
export const containsPattern = (search: string): string => `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
