import type { Item } from '@reachout/contract/content.ts';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { linkOptions, type LinkOptions } from '@tanstack/react-router';
import { contactName } from '#web/contacts/people/contact-name.ts';
import { contactCollection } from '#web/content/collections/contact-search.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import type { client } from '#web/platform/api.ts';
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

  const found = listFound(orgId, search, {
    clients: clients.data?.items,
    campaigns: campaigns.data?.items,
    templates: templates.data?.items,
    audiences: audiences.data?.items,
    signUpForms: signUpForms.data?.items,
    contacts: contacts.flatMap(({ data }, index) =>
      (data?.data ?? []).map((item) => ({ collection: lists[index]!.collection, item })),
    ),
  });
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

type Items<List extends (...input: never) => Promise<{ items: readonly unknown[] }>> =
  | Awaited<ReturnType<List>>['items']
  | undefined;

interface Responses {
  clients: Items<typeof client.clientsBrands.list>;
  campaigns: Items<typeof client.campaignsTouchpoints.list>;
  templates: Items<typeof client.templates.list>;
  audiences: Items<typeof client.filters.list>;
  signUpForms: Items<typeof client.signUpForms.list>;
  contacts: readonly { collection: string; item: Item }[];
}

/**
 * A client is in a response also because of its brands, and these with their client; until a response is there, that to the
 * search before it is. Contacts may match by values that are not shown.
 */
function listFound(orgId: string, search: string, responses: Responses): FoundRecord[] {
  const { clients = [], campaigns = [], templates = [], audiences = [], signUpForms = [] } = responses;
  const ofOwner = ({ client, brand }: Pick<(typeof templates)[number], 'client' | 'brand'>) =>
    brand?.name ?? client?.name;
  const records: Record<RecordKind, Omit<FoundRecord, 'kind'>[]> = {
    clients: clients.map(({ client_id: clientId, client_name: name }) => ({
      id: clientId,
      name,
      detail: undefined,
      link: linkOptions({ to: '/o/$orgId/clients/$clientId', params: { orgId, clientId } }),
    })),
    brands: clients.flatMap(({ client_name: detail, brands }) =>
      brands.map(({ brand_id: brandId, brand_name: name }) => ({
        id: brandId,
        name,
        detail,
        link: linkOptions({ to: '/o/$orgId/brands/$brandId', params: { orgId, brandId } }),
      })),
    ),
    campaigns: campaigns.map(({ campaign_id: campaignId, campaign_name: name, ...of }) => ({
      id: campaignId,
      name,
      detail: `${of.client_name} · ${of.brand_name}`,
      link: linkOptions({ to: '/o/$orgId/campaigns/$campaignId', params: { orgId, campaignId } }),
    })),
    touchpoints: campaigns.flatMap(({ campaign_name, brand_name, touchpoints }) =>
      touchpoints.map(({ touchpoint_id: touchpointId, touchpoint_name: name }) => ({
        id: touchpointId,
        name,
        detail: `${brand_name} · ${campaign_name}`,
        link: linkOptions({ to: '/o/$orgId/touchpoints/$touchpointId', params: { orgId, touchpointId } }),
      })),
    ),
    templates: templates.map(({ id, title: name, ...of }) => ({
      id,
      name,
      detail: ofOwner(of),
      link: linkOptions({ to: '/o/$orgId/templates/$templateId', params: { orgId, templateId: id } }),
    })),
    audiences: audiences.map(({ id, name, ...of }) => ({
      id,
      name,
      detail: ofOwner(of),
      link: linkOptions({ to: '/o/$orgId/audiences/$audienceId', params: { orgId, audienceId: id } }),
    })),
    signUpForms: signUpForms.map(({ id, name }) => ({
      id,
      name,
      detail: undefined,
      link: linkOptions({ to: '/o/$orgId/sign-up-forms/$formId', params: { orgId, formId: id } }),
    })),
    contacts: responses.contacts.map(({ collection, item }) => {
      const id = valueText(item['id']);
      const name = contactName(item);
      const email = valueText(item['email']);
      return {
        id: `${collection} ${id}`,
        name,
        detail: email === name ? undefined : email,
        link: linkOptions({
          to: '/o/$orgId/contacts/$contactId',
          params: { orgId, contactId: id },
          search: collection === contactCollection ? {} : { collection },
        }),
      };
    }),
  };
  const isMatch = (name: string) => name.toLowerCase().includes(search.toLowerCase());
  return recordKinds.flatMap((kind) =>
    records[kind]
      .filter(({ name }) => kind === 'contacts' || isMatch(name))
      .slice(0, shown)
      .map((record) => ({ kind, ...record })),
  );
}
