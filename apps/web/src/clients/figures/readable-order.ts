import { figureColumns, readableFigures } from '@reachout/contract/rules/figure-columns.ts';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

/**
 * What an address says about a list, without an order by figures that the reader does not get: it may come from somebody who
 * does, and the list then has its default order.
 */
export function withReadableOrder<Search extends { order?: string }>(
  { readScopeOf }: OrganizationContext,
  search: Search,
): Search {
  const column = search.order?.split('.')[0];
  const hidden = figureColumns.filter((figure) => !readableFigures(readScopeOf).includes(figure));
  if (!hidden.some((figure) => figure === column)) return search;
  const { order: _unreadable, ...rest } = search;
  return rest as Search;
}
