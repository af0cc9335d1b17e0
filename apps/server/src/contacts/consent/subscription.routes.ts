import { accessScopeOf } from '@reachout/contract/abilities.ts';
import { operations, type OperationContext } from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { forbidden } from '../../platform/http/api-error.ts';
import { rejectPlatformCollections } from '../../content/collections/item-input.ts';
import {
  resubscribeContact,
  unsubscribeContact,
  chooseTopic,
  pauseContact,
  type ChangedSubscription,
  type ContactTarget,
} from './change-subscription.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { getSubscription, summarizeContacts, type ContactKey } from './contact-subscription.ts';
import { findContacts } from './find-contacts.ts';

type ContactPath = Pick<ContactKey, 'collection' | 'key'>;

export const createSubscriptionRoutes = (deps: DirectusDeps) => {
  const find = ({ collection, key }: ContactPath, context: OperationContext) =>
    findContacts(deps, context, rejectPlatformCollections(collection), [key]);

  /** @param change  returns details for the audit log */
  async function changeChoices(
    input: ContactPath,
    context: OperationContext,
    change: (trx: Transaction, target: ContactTarget) => Promise<Record<string, string | boolean>>,
  ) {
    const { organizationId, userId } = context;
    const { collection, key } = input;
    const contacts = await find(input, context);
    const target = {
      organizationId,
      collection: rejectPlatformCollections(collection),
      key,
      contacts,
      userId,
    };
    return await context.commit(async (trx) => {
      context.note({ record_id: key, details: { collection, ...(await change(trx, target)) } });
      return await getSubscription(trx, organizationId, contacts);
    });
  }

  return {
    list: operations.consent.list.handler(async ({ input: { collection, keys, client_id }, context }) => {
      const wanted = [...new Set(keys.split(','))];
      const contacts = await findContacts(deps, context, rejectPlatformCollections(collection), wanted);
      return await context.transaction(async (trx) => ({
        items: await summarizeContacts(trx, context.organizationId, contacts, client_id),
      }));
    }),
    get: operations.consent.get.handler(async ({ input, context }) => {
      const contacts = await find(input, context);
      return await context.transaction((trx) =>
        getSubscription(trx, context.organizationId, contacts, input.client_id),
      );
    }),
    unsubscribe: operations.consent.unsubscribe.handler(async ({ input, context }) => {
      const contact = targetOf(input, context);
      const contacts = await find(input, context);
      return await context.commit(async (trx) => {
        note(context, contact, await unsubscribeContact(trx, { ...contact, contacts }, input.note));
        return await getSubscription(trx, context.organizationId, contacts);
      });
    }),
    resubscribe: operations.consent.resubscribe.handler(async ({ input, context }) => {
      const contact = targetOf(input, context);
      const contacts = await find(input, context);
      return await context.commit(async (trx) => {
        note(context, contact, await resubscribeContact(trx, { ...contact, contacts }, input.basis));
        return await getSubscription(trx, context.organizationId, contacts);
      });
    }),
    chooseTopic: operations.consent.chooseTopic.handler(async ({ input, context }) => {
      const { topic_id: topicId, is_subscribed: isSubscribed } = input;
      return await changeChoices(input, context, (trx, target) =>
        chooseTopic(trx, target, { topicId, isSubscribed, basis: input.basis }),
      );
    }),
    pause: operations.consent.pause.handler(async ({ input, context }) => {
      const { brand_id: brandId, is_paused: isPaused } = input;
      return await changeChoices(input, context, (trx, target) =>
        pauseContact(trx, { ...target, brandId }, isPaused, new Date()),
      );
    }),
  };
};

/** @throws 403 for all brands if the caller can read or update only some of them */
function targetOf(input: ContactPath & { brand_id: string | null }, context: OperationContext) {
  const { rules, organizationId, userId } = context;
  const { brand_id } = input;
  const isOfAll = (['read', 'update'] as const).every(
    (action) => accessScopeOf(rules, action, 'Consent', organizationId) === 'all',
  );
  if (brand_id === null && !isOfAll) throw forbidden('update', 'Consent');
  const { collection, key } = input;
  return {
    organizationId,
    collection: rejectPlatformCollections(collection),
    key,
    brandId: brand_id,
    userId,
  };
}

/** Adds audit details without the note or basis, because audit entries outlive the contact. */
const note = (context: OperationContext, { collection, key }: ContactKey, { brand }: ChangedSubscription) =>
  context.note({
    record_id: key,
    details: { collection, ...(brand === null ? { all_brands: true } : { brand }) },
  });
