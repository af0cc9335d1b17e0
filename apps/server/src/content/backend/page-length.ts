import type { Item } from '@reachout/contract/content.ts';
import { invalidQuery } from './content-backend.ts';

/**
 * Maximum length of the items of one response, in characters of JSON. A text of this length takes the process 10 to 30 ms, in
 * which no other request is served, and exists several times in memory.
 */
export const maxPageLength = 4_000_000;

/** @param fitting  number of items that a response has room for */
export const pageTooLarge = (fitting: number) =>
  invalidQuery(
    `limit: The response would be larger than 4 MB, which has room for ${fitting} of these items. Ask for fewer items or fields.`,
  );

/** @returns the items @throws `invalid_query` if they are larger than a response may be */
export function requirePageLength<T extends Item | Item[]>(page: T): T {
  let length = 0;
  for (const [index, item] of [page].flat().entries()) {
    length += JSON.stringify(item).length;
    if (length > maxPageLength && index > 0) throw pageTooLarge(index);
  }
  return page;
}
