import { figureColumns, readableFigures } from '@reachout/contract/rules/figure-columns.ts';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

/**
 * The URL parameters of a list without a sort order by figures that the user cannot read. The URL may come from another user
 * who can; the list then uses its default order.
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
