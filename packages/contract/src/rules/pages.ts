/** Which page an address is of: docs/visits.md. The tracking client has this file within it. */

/** Query parameters with the number or key of a page, in content systems whose pages have no path of their own. */
const pageParameters =
  'p page_id attachment_id cat id post_id article_id product_id category_id id_product id_category curid route'.split(
    ' ',
  );

/** Parts of an address, as `URL` and `Location` have them. */
export interface AddressParts {
  pathname: string;
  search: string;
  hash: string;
}

export interface PageSettings {
  /** Query parameters that tell pages apart; true for all of them. */
  search?: readonly string[] | true | undefined;
  /** Whether each fragment is a page, and not routes alone. */
  hash?: boolean | undefined;
}

/** @returns the path of the page as people read it, with the query parameters and the fragment that tell it from other pages */
export function readPage(
  { pathname, search, hash }: AddressParts,
  { search: parameters = pageParameters, hash: isEachHash = false }: PageSettings = {},
): string {
  const pick = (query: string): string => {
    const picked = query
      .split('&')
      .filter(
        (parameter) =>
          /=./.test(parameter) && (parameters === true || parameters.includes(parameter.split('=')[0]!)),
      )
      .sort();
    return picked.length > 0 ? `?${picked.join('&')}` : '';
  };
  const [, mark = '', route = '', query = ''] = /^(#!?)(\/[^?]*)\??(.*)$/s.exec(hash) ?? [];
  const page = route && trim(route) + pick(query);
  const fragment = isEachHash ? hash : page.length > 1 ? mark + page : '';
  return toReadable(trim(pathname) + pick(search.slice(1)) + fragment);
}

/** Without the name of an index file, and without slashes at the end. */
function trim(path: string): string {
  const short = path.replace(/\/index\.(?:html?|php)$/, '/');
  let { length } = short;
  while (length > 1 && short[length - 1] === '/') length -= 1;
  return short.slice(0, length);
}

/** Letters as people read them; what would be read otherwise, such as `%2F`, or not be seen, stays as it is. */
const toReadable = (page: string): string =>
  page
    .replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) => {
      try {
        return decodeURI(bytes.replaceAll('%25', '%2525')).replaceAll(
          /[\p{C}\p{Zl}\p{Zp}]/gu,
          encodeURIComponent,
        );
      } catch {
        return bytes.toUpperCase();
      }
    })
    .normalize('NFC');
