import type { Field } from '@reachout/contract/content-fields.ts';
import type { Collection } from '@reachout/contract/content.ts';
import { contactFields } from '@reachout/contract/rules/starting-collections.ts';

/** Where an import puts contacts: into a collection, or into the one that it creates for a client without one. */
export type ImportTarget = { collection: string } | { client_id: string };

/** An answer to the question whose contacts are imported. */
export interface TargetOption {
  /** Unique among the options. */
  key: string;
  target: ImportTarget;
  /** The client that the contacts belong to; null if all clients share them. */
  client: { id: string; name: string } | null;
  /** Undefined for a collection that the import creates. */
  list: Collection | undefined;
}

/**
 * Lists the collections of each client, or the one that the import would create, and then the shared ones.
 * @param lists  the collections of contacts
 * @param canCreate  false with a Directus, in which collections are created there
 */
export function listTargets(
  lists: readonly Collection[],
  clients: readonly { id: string; name: string }[],
  canCreate: boolean,
): TargetOption[] {
  const optionOf = (list: Collection): TargetOption => ({
    key: list.collection,
    target: { collection: list.collection },
    client: list.client,
    list,
  });
  const ofClients = clients.flatMap((client) => {
    const own = lists.filter((list) => list.client_id === client.id);
    const isMissing = canCreate && own.every((list) => list.brand_id !== null);
    return [
      ...(isMissing
        ? [{ key: `client:${client.id}`, target: { client_id: client.id }, client, list: undefined }]
        : []),
      ...own.map(optionOf),
    ];
  });
  const others = lists.filter((list) => !clients.some(({ id }) => id === list.client_id));
  return [...ofClients, ...others.map(optionOf)];
}

/**
 * The option that is selected before the user chooses: the collection whose page the import was started from, if it belongs to
 * a client, and otherwise the one of the client. What all clients share is only selected if there is nothing else.
 * @param collection  the collection whose page the import was started from
 * @param clientId  the client of the email that the contacts are for, or the client chosen in the navigation
 */
export function preselectTarget(
  options: readonly TargetOption[],
  collection: string,
  clientId: string | undefined,
): TargetOption | undefined {
  const started = options.find((option) => option.key === collection);
  if (started !== undefined && started.client !== null) return started;
  const ofClient = options.filter(({ client }) => client !== null && client.id === clientId);
  const own = ofClient.find(({ list }) => (list?.brand_id ?? null) === null) ?? ofClient[0];
  return own ?? (options.length === 1 && clientId === undefined ? options[0] : undefined);
}

/** The fields of a collection of contacts that an import creates. */
export const fieldsOfNewContacts: readonly Field[] = contactFields.map(
  ({ field, type, required = false, unique = false, default_value = null }) => ({
    collection: '',
    field,
    label: null,
    type,
    interface: null,
    choices: null,
    required,
    unique,
    hidden: false,
    readonly: false,
    default_value,
    sort: null,
  }),
);
