import type { TouchpointEvent } from '@reachout/contract/event-graph.ts';
import type { Item } from '@reachout/contract/content.ts';
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { contactName } from '#web/contacts/people/contact-name.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { valueText } from '#web/ui/value-text.ts';

/** How often the numbers of a graph that is switched on are read again. */
const liveMs = 5_000;

export const campaignQuery = ({ api }: OrganizationContext, id: string) =>
  api.campaigns.get.queryOptions({ input: { id } });

/** @param campaignId  undefined for all campaigns of the organization, or of the chosen client */
export const graphQuery = ({ api, orgId, clientId }: OrganizationContext, campaignId?: string) =>
  api.touchpointEvents.list.queryOptions({
    input: compact({ organization_id: orgId, campaign_id: campaignId }),
    select: ({ items }) => ({
      items:
        clientId === undefined || campaignId !== undefined
          ? items
          : items.filter(({ client }) => client.id === clientId),
    }),
    refetchInterval: ({ state }) => state.data?.items.some(({ is_active }) => is_active) === true && liveMs,
  });

export const eventActionsQuery = ({ api }: OrganizationContext) =>
  api.touchpointEventActions.list.queryOptions({ staleTime: Infinity });

/** What reactions are listed. */
export type ReactionsOf =
  | { listener_id: string }
  | { touchpoint_id: string }
  | { collection: string; contact_id: string };

export const reactionsQuery = (
  { api, orgId }: OrganizationContext,
  of: ReactionsOf,
  { page_size = 20, ...more }: { state?: Reaction['state']; page?: number; page_size?: number } = {},
) =>
  api.reactions.list.queryOptions({
    input: { organization_id: orgId, page_size, ...of, ...more },
    refetchInterval: liveMs,
  });

type Reaction = Awaited<ReturnType<OrganizationContext['api']['reactions']['list']['call']>>['items'][number];

/** @returns a function that names the form of an event; undefined until it is known */
export function useFormNames(events: readonly TouchpointEvent[]): (id: string) => string | undefined {
  const { api, can } = useOrganization();
  const ids = [...new Set(events.flatMap(({ form_id }) => form_id ?? []))];
  const forms = useQueries({
    queries: ids.map((id) =>
      api.signUpForms.get.queryOptions({ input: { id }, enabled: can('read', 'Consent') }),
    ),
  });
  return (id) => forms[ids.indexOf(id)]?.data?.name;
}

/** @returns a function that names contacts, by the items of their collections; by their ids until those are known */
export function useContactNames(
  reactions: readonly Pick<Reaction, 'collection' | 'contact_id'>[],
): (reaction: Pick<Reaction, 'collection' | 'contact_id'>) => string {
  const { api, orgId } = useOrganization();
  // Those without a collection are known by their address alone.
  const lists = [...Map.groupBy(reactions, ({ collection }) => collection)]
    .filter(([collection]) => collection !== '')
    .map(([collection, some]) => ({
      collection,
      keys: [...new Set(some.map(({ contact_id }) => contact_id))],
    }));
  const queries = useQueries({
    queries: lists.map(({ collection, keys }) =>
      api.content.items.queryOptions({
        input: {
          organization_id: orgId,
          collection,
          filter: JSON.stringify({ id: { _in: keys } }),
          limit: keys.length,
        },
        meta: { quiet: true },
      }),
    ),
  }) as UseQueryResult<{ data: Item[] }>[];
  return ({ collection, contact_id }) => {
    const items = queries[lists.findIndex((list) => list.collection === collection)]?.data?.data;
    const item = items?.find(({ id }) => valueText(id) === contact_id);
    return (item && contactName(item)) || contact_id;
  };
}

/** The touchpoints that can be connected: those of the brand that are not archived. */
export function useBrandTouchpoints(brandId: string) {
  const { api, orgId } = useOrganization();
  const input = {
    organization_id: orgId,
    brand_id: brandId,
    order: 'name.asc',
    page: 0,
    page_size: 500,
  } as const;
  return useQuery(
    api.touchpoints.list.queryOptions({
      input,
      select: ({ items }) => items.filter(({ status }) => status !== 'archived'),
    }),
  );
}
