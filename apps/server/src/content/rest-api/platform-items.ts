import type { Item } from '@reachout/contract/content.ts';
import type { Action, Subject } from '@reachout/contract/abilities.ts';
import type { Permission } from '@reachout/contract/operation.ts';
import type { AuthorizedRequest } from '../../identity/access/membership.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { oneByOne, type ContentBackend, type SingleItems } from '../backend/content-backend.ts';
import type { BuiltInBackend } from '../built-in/built-in-backend.ts';
import { resolveOwner } from '../owners/owners.ts';
import { withDerivedFields } from '../templates/templates.ts';

/** The collections of the platform, with the subject of the permissions on their records. */
const subjects: Readonly<Record<string, Subject>> = {
  reachout_clients: 'Client',
  reachout_brands: 'Brand',
  reachout_campaigns: 'Campaign',
  reachout_touchpoints: 'Touchpoint',
  reachout_templates: 'Template',
};
const templates = 'reachout_templates';

/** @returns the permissions that a token needs for a collection, in addition to the one on content */
export function permissionsOn(collection: string, action: Action): Permission[] {
  const subject = subjects[collection];
  return subject === undefined ? [] : [[action, subject]];
}

/**
 * Whether a collection exists for a token. Those of the platform hold the records of all clients: a member who is limited
 * to some clients can only use their records through the operations of the API.
 */
export const canUseCollection = (
  { can, accessScope }: Pick<AuthorizedRequest, 'can' | 'accessScope'>,
  collection: string,
  action: Action,
): boolean => {
  if (collection.startsWith('directus_')) return false;
  if (!collection.startsWith('reachout_')) return true;
  const subject = subjects[collection];
  return subject !== undefined && accessScope === undefined && can(action, subject);
};

/** Lists the collections of the platform that a token may use with one of these actions. */
export const listPlatformCollections = (
  who: Pick<AuthorizedRequest, 'can' | 'accessScope'>,
  actions: readonly Action[] = ['read'],
): string[] =>
  Object.keys(subjects).filter((collection) =>
    actions.some((action) => canUseCollection(who, collection, action)),
  );

/** Maximum per collection of an organization, more than the records it has. Templates have a quota instead. */
const maxItems = 100_000;

/** Restricts what API clients write into collections of the platform to what the platform itself would write. */
export function guardPlatformItems(
  trx: Transaction,
  organizationId: string,
  backend: BuiltInBackend,
): ContentBackend {
  const guardOwner = async (item: Item): Promise<void> => {
    const { client, brand } = item as { client: string | null; brand: string | null };
    const owner = await resolveOwner(trx, { client_id: client, brand_id: brand });
    // A template of a brand without a client would belong to all clients.
    if (owner.client_id !== client) throw invalidInput('client', 'Name the client of the brand, too.');
  };
  const derived = (collection: string, data: Item) =>
    collection === templates ? withDerivedFields(data) : data;
  const guarded: SingleItems = {
    ...backend,
    async createItem(collection, data) {
      const item = await backend.createItem(collection, derived(collection, data));
      if (collection === templates) await guardOwner(item);
      else if ((await backend.countItems(collection, {})) > maxItems)
        throw new LimitExceeded(
          'items of the platform',
          'too_many_records',
          { limit: maxItems },
          { organizationId },
        );
      return item;
    },
    async updateItem(collection, key, data, options) {
      const item = await backend.updateItem(collection, key, derived(collection, data), options);
      const changesOwner = Object.hasOwn(data, 'client') || Object.hasOwn(data, 'brand');
      if (collection === templates && changesOwner) await guardOwner(item);
      return item;
    },
  };
  return { ...guarded, ...oneByOne(guarded) };
}
