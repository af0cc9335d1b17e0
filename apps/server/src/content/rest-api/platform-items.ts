import type { Item } from '@reachout/contract/content.ts';
import type { Action, Subject } from '@reachout/contract/abilities.ts';
import type { Permission } from '@reachout/contract/operation.ts';
import type { AuthorizedRequest } from '../../identity/access/authorize-request.ts';
import { apiError, invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { oneByOne, type ContentBackend, type SingleItems } from '../backend/content-backend.ts';
import type { BuiltInBackend } from '../built-in/built-in-backend.ts';
import { denyOwnerInUse, resolveOwner } from '../owners/owners.ts';
import { isUsedByEmail } from '../templates/template.queries.ts';

/** The collections of the platform, and what its operations call the records that each has. */
const subjects: Readonly<Record<string, Subject>> = {
  reachout_clients: 'Client',
  reachout_brands: 'Brand',
  reachout_campaigns: 'Campaign',
  reachout_touchpoints: 'Touchpoint',
  reachout_templates: 'Template',
};
const templates = 'reachout_templates';

/** What a token needs for a collection, beside the permission on content. */
export function permissionsOn(collection: string, action: Action): Permission[] {
  const subject = subjects[collection];
  return subject === undefined ? [] : [[action, subject]];
}

/**
 * Whether there is such a collection for a token. Those of the platform hold records of all clients: a member who is limited to
 * some has those in the operations of the API.
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

/** The collections of the platform that a token may read, or use with one of these actions. */
export const listPlatformCollections = (
  who: Pick<AuthorizedRequest, 'can' | 'accessScope'>,
  actions: readonly Action[] = ['read'],
): string[] =>
  Object.keys(subjects).filter((collection) =>
    actions.some((action) => canUseCollection(who, collection, action)),
  );

/** Of one organization; more records than one has. Templates have a quota. */
const maxItems = 100_000;

/** Keeps what programs write into the collections of the platform to what the platform itself would write. */
export function guardPlatformItems(
  trx: Transaction,
  organizationId: string,
  backend: BuiltInBackend,
): ContentBackend {
  const guardOwner = async (item: Item): Promise<void> => {
    const { id, client, brand } = item as { id: string; client: string | null; brand: string | null };
    const owner = await resolveOwner(trx, { client_id: client, brand_id: brand });
    // Without its client, a template of a brand would be one of all clients.
    if (owner.client_id !== client) throw invalidInput('client', 'Name the client of the brand, too.');
    await denyOwnerInUse(trx, { kind: 'template', key: id }, owner);
  };
  const guarded: SingleItems = {
    ...backend,
    async createItem(collection, data) {
      const item = await backend.createItem(collection, data);
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
      const item = await backend.updateItem(collection, key, data, options);
      const changesOwner = Object.hasOwn(data, 'client') || Object.hasOwn(data, 'brand');
      if (collection === templates && changesOwner) await guardOwner(item);
      return item;
    },
    async deleteItem(collection, key) {
      await backend.deleteItem(collection, key);
      if (collection === templates && (await isUsedByEmail(trx, organizationId, key)))
        throw apiError('template_in_use');
    },
  };
  return { ...guarded, ...oneByOne(guarded) };
}
