import type { Preset } from '@reachout/contract/content-presets.ts';
import { useQuery } from '@tanstack/react-query';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { isRecord } from '#web/platform/problem.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { subscriptionColumn } from './item-columns.tsx';
import type { ItemRule, ItemsSearch } from './item-queries.ts';

export const viewsQuery = ({ api, orgId }: OrganizationContext, collection: string) =>
  api.content.presets.queryOptions({ input: { organization_id: orgId, collection } });

/** The saved views of a collection, the current one, and whether the display still matches it. */
export function useViews(collection: string, search: ItemsSearch, defaultOrder: string) {
  const { data } = useQuery(viewsQuery(useOrganization(), collection));
  const change = useChangeSearch<ItemsSearch>();
  const views = data?.data ?? [];
  const current = views.find(({ id }) => id === search.view);
  const fields = current?.layout_query.fields;
  return {
    views,
    current,
    /** The view's columns, unless others have been selected since. */
    columns: search.columns ?? (fields && [...fields, subscriptionColumn]),
    isChanged:
      current !== undefined &&
      JSON.stringify(shownBy(search, defaultOrder)) !== JSON.stringify(searchOf(current, defaultOrder)),
    apply: (view: Preset | undefined) =>
      change({
        search: undefined,
        filter: undefined,
        order: undefined,
        columns: undefined,
        view: undefined,
        ...(view && { ...searchOf(view, defaultOrder), view: view.id }),
      }),
  };
}

/** Converts a view to URL parameters. */
function searchOf({ search, filter, layout_query: { sort } }: Preset, defaultOrder: string): ItemsSearch {
  const [first] = sort ?? [];
  const rule = isRecord(filter) && Object.keys(filter).length > 0 ? (filter as ItemRule) : undefined;
  const shown = {
    ...(search === null ? {} : { search }),
    ...(rule && { filter: rule }),
    ...(first === undefined ? {} : { order: orderOf(first) }),
  };
  return shownBy(shown, defaultOrder);
}

/** The URL parameters without page and default order, for comparison with a view. */
const shownBy = ({ search, filter, order, columns }: ItemsSearch, defaultOrder: string): ItemsSearch =>
  compact({ search, filter, order: order === defaultOrder ? undefined : order, columns });

const orderOf = (key: string): string => (key.startsWith('-') ? `${key.slice(1)}.desc` : `${key}.asc`);

/** Converts the current display to a view. */
export function toPreset(
  { search, filter, order }: ItemsSearch,
  columns: readonly string[],
  defaultOrder: string,
) {
  const [by = '', direction] = (order ?? defaultOrder).split('.');
  return {
    search: search ?? null,
    filter: (filter ?? null) as Preset['filter'],
    // The subscription is not a field of contacts.
    layout_query: {
      fields: columns.filter((name) => name !== subscriptionColumn),
      sort: [`${direction === 'desc' ? '-' : ''}${by}`],
    },
  };
}
