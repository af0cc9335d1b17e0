import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { contactCollection } from '#web/content/collections/contact-search.ts';
import { useOwners } from '#web/content/owners/use-owners.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { listTargets, preselectTarget, type TargetOption } from './import-target.ts';

export interface TargetChoice {
  /** False while options are loading: another one may be chosen by then. */
  isReady: boolean;
  options: readonly TargetOption[];
  /** A Directus, where collections are created, has none of contacts. */
  isNoneThere: boolean;
  /** Undefined until the user has chosen. */
  chosen: TargetOption | undefined;
  choose: (option: TargetOption) => void;
  /** Name of the client that the contacts are for, if it has no collection and none can be created here. */
  missing: string | undefined;
}

/**
 * The answer to the question whose contacts are imported.
 * @param collection  the collection whose page the import was started from
 * @param email  id of the email that the contacts are for
 * @returns undefined if these are no contacts
 */
export function useImportTarget(collection: string, email: string | undefined): TargetChoice | undefined {
  const { api, orgId, clientId, can } = useOrganization();
  const canRead = can('read', 'Content');
  const { data, isLoading } = useQuery(
    api.content.collections.queryOptions({ input: { organization_id: orgId }, enabled: canRead }),
  );
  const touchpoint = useQuery(
    api.touchpoints.get.queryOptions({ input: { id: email ?? '' }, enabled: email !== undefined }),
  );
  const { clients: owners, query: ownersQuery } = useOwners();
  const [key, setKey] = useState<string>();
  const lists = (data?.data ?? []).filter((list) => list.has_contacts);
  const isContacts = collection === contactCollection || lists.some((list) => list.collection === collection);
  if (!canRead || !isContacts) return undefined;
  const clients = owners.map(({ client_id: id, client_name: name }) => ({ id, name }));
  // Until all of them are known, the only one that is would be preselected.
  const options =
    data === undefined || ownersQuery.isLoading
      ? []
      : listTargets(lists, clients, data.meta.backend === 'built_in');
  const wanted = touchpoint.data?.client.id ?? clientId;
  const hasOption = options.some(({ client }) => client?.id === wanted);
  return {
    isReady: !isLoading && !touchpoint.isLoading && !ownersQuery.isLoading,
    options,
    isNoneThere: data?.meta.backend === 'directus' && options.length === 0,
    chosen: options.find((option) => option.key === key) ?? preselectTarget(options, collection, wanted),
    choose: (option) => setKey(option.key),
    missing: options.length === 0 || hasOption ? undefined : clients.find(({ id }) => id === wanted)?.name,
  };
}
