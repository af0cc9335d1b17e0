import type { Item } from '@reachout/contract/content.ts';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { linkOptions, type LinkOptions } from '@tanstack/react-router';
import { contactName } from '#web/contacts/people/contact-name.ts';
import { contactCollection } from '#web/content/collections/contact-search.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { maxSearchLength } from '#web/ui/search-field.tsx';
import { valueText } from '#web/ui/value-text.ts';

/** Records that the palette lists of each kind. */
export const shown = 5;
/** Below three characters, a search among contacts cannot use the index and takes up to a second. */
const contactLength = 3;
/** Collections of contacts that are searched, the largest first: one person has few connections for searches. */
const searchedCollections = 5;
/** Sign-up forms whose names are compared; their list has no search. */
const namedForms = 100;

export const recordKinds = [
  'clients',
  'brands',
  'campaigns',
  'touchpoints',
  'templates',
  'audiences',
  'signUpForms',
  'contacts',
] as const;
type RecordKind = (typeof recordKinds)[number];

export interface FoundRecord {
  kind: RecordKind;
  id: string;
  name: string;
  /** Where it belongs, to distinguish records of the same name. */
  detail: string | undefined;
  link: LinkOptions;
}

/**
 * Searches records by name, and contacts by any of their values, with one request for each list that the user may read: what
 * is found fast is shown at once.
 * @param search  of two characters to `maxSearchLength`; otherwise nothing is requested
 */
export function usePaletteRecords(search: string) {
  const { api, orgId, clientId, can } = useOrganization();
  const isWanted = search.length >= 2 && search.length <= maxSearchLength;
  const searchesContacts = isWanted && search.length >= contactLength;
  const owner = compact({ organization_id: orgId, client_id: clientId });
  const names = { ...owner, search, page: 0, page_size: shown };
  const options = (isAllowed: boolean) => ({
    enabled: isWanted && isAllowed,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const clients = useQuery(
    api.clientsBrands.list.queryOptions({
      input: names,
      ...options(can('read', 'Client') && can('read', 'Brand')),
    }),
  );
  const campaigns = useQuery(
    api.campaignsTouchpoints.list.queryOptions({
      input: names,
      ...options(can('read', 'Campaign') && can('read', 'Touchpoint')),
    }),
  );
  const templates = useQuery(
    api.templates.list.queryOptions({ input: names, ...options(can('read', 'Template')) }),
  );
  const audiences = useQuery(
    api.filters.list.queryOptions({ input: names, ...options(can('read', 'Filter')) }),
  );
  const signUpForms = useQuery(
    api.signUpForms.list.queryOptions({
      input: { organization_id: orgId, page: 0, page_size: namedForms },
      ...options(can('read', 'Consent')),
    }),
  );
  const collections = useQuery(
    api.content.collections.queryOptions({
      input: owner,
      enabled: searchesContacts && can('read', 'Content'),
    }),
  );
  const lists = (collections.data?.data ?? [])
    .filter(({ has_contacts, item_count }) => has_contacts && item_count > 0)
    .toSorted((one, other) => other.item_count - one.item_count);
  const contacts = useQueries({
    queries: lists.slice(0, searchedCollections).map(({ collection }) =>
      api.content.items.queryOptions({
        input: { organization_id: orgId, collection, search, limit: shown, max_count: shown },
        ...options(searchesContacts),
      }),
    ),
  });

  const matches = (name: string) => name.toLowerCase().includes(search.toLowerCase());
  const at = { orgId };
  const found: FoundRecord[] = [];
  const add = (record: FoundRecord) => {
    if (found.filter(({ kind }) => kind === record.kind).length < shown) found.push(record);
  };
  for (const { client_id, client_name, brands } of clients.data?.items ?? []) {
    // A client is also listed because of its brands, and these with their client.
    if (matches(client_name))
      add({
        kind: 'clients',
        id: client_id,
        name: client_name,
        detail: undefined,
        link: linkOptions({ to: '/o/$orgId/clients/$clientId', params: { ...at, clientId: client_id } }),
      });
    for (const { brand_id, brand_name } of brands.filter((brand) => matches(brand.brand_name)))
      add({
        kind: 'brands',
        id: brand_id,
        name: brand_name,
        detail: client_name,
        link: linkOptions({ to: '/o/$orgId/brands/$brandId', params: { ...at, brandId: brand_id } }),
      });
  }
  for (const { campaign_id, campaign_name, brand_name, client_name, touchpoints } of campaigns.data?.items ??
    []) {
    if (matches(campaign_name))
      add({
        kind: 'campaigns',
        id: campaign_id,
        name: campaign_name,
        detail: `${client_name} · ${brand_name}`,
        link: linkOptions({
          to: '/o/$orgId/campaigns/$campaignId',
          params: { ...at, campaignId: campaign_id },
        }),
      });
    for (const { touchpoint_id, touchpoint_name } of touchpoints.filter((one) =>
      matches(one.touchpoint_name),
    ))
      add({
        kind: 'touchpoints',
        id: touchpoint_id,
        name: touchpoint_name,
        detail: `${brand_name} · ${campaign_name}`,
        link: linkOptions({
          to: '/o/$orgId/touchpoints/$touchpointId',
          params: { ...at, touchpointId: touchpoint_id },
        }),
      });
  }
  // Until a response is there, that to the search before it is listed, as far as it matches.
  for (const { id, title, client, brand } of templates.data?.items.filter((one) => matches(one.title)) ?? [])
    add({
      kind: 'templates',
      id,
      name: title,
      detail: brand?.name ?? client?.name,
      link: linkOptions({ to: '/o/$orgId/templates/$templateId', params: { ...at, templateId: id } }),
    });
  for (const { id, name, client, brand } of audiences.data?.items.filter((one) => matches(one.name)) ?? [])
    add({
      kind: 'audiences',
      id,
      name,
      detail: brand?.name ?? client?.name,
      link: linkOptions({ to: '/o/$orgId/audiences/$audienceId', params: { ...at, audienceId: id } }),
    });
  for (const { id, name } of signUpForms.data?.items.filter((one) => matches(one.name)) ?? [])
    add({
      kind: 'signUpForms',
      id,
      name,
      detail: undefined,
      link: linkOptions({ to: '/o/$orgId/sign-up-forms/$formId', params: { ...at, formId: id } }),
    });
  for (const [index, { data }] of contacts.entries())
    for (const item of data?.data ?? []) add(toContact(orgId, lists[index]!.collection, item));

  const queries = [clients, campaigns, templates, audiences, signUpForms, collections, ...contacts];
  return {
    records: isWanted ? found : [],
    /** Whether there may be more of a kind than are listed. */
    isCut: isWanted && recordKinds.some((kind) => found.filter((one) => one.kind === kind).length === shown),
    isSearching: queries.some(({ isFetching, isEnabled }) => isEnabled && isFetching),
    /** Collections of contacts beyond those that are searched. */
    unsearchedCount: searchesContacts ? Math.max(0, lists.length - searchedCollections) : 0,
    hasFailed: isWanted && queries.some(({ isError }) => isError),
    retry: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
  };
}

function toContact(orgId: string, collection: string, item: Item): FoundRecord {
  const id = valueText(item['id']);
  const name = contactName(item);
  const email = valueText(item['email']);
  return {
    kind: 'contacts',
    id: `${collection} ${id}`,
    name,
    detail: email === name ? undefined : email,
    link: linkOptions({
      to: '/o/$orgId/contacts/$contactId',
      params: { orgId, contactId: id },
      search: collection === contactCollection ? {} : { collection },
    }),
  };
}
