import { accessScopeOf } from '@reachout/contract/abilities.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import { forbidden, notFound } from '../../platform/http/api-error.ts';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { resubscribeContact, unsubscribeContact, type ChangedSubscription } from './change-subscription.ts';
import { getSubscription, summarizeContacts, type ContactKey } from './contact-subscription.ts';

type ContactPath = Pick<ContactKey, 'collection' | 'key'>;

export const subscriptionRoutes = {
  list: inTransaction(operations.consent.list, async (trx, { collection, keys }, context) => ({
    items: await summarizeContacts(
      trx,
      { organizationId: context.organizationId, collection: rejectPlatformCollection(collection) },
      [...new Set(keys.split(','))],
    ),
  })),
  get: inTransaction(operations.consent.get, (trx, input, context) =>
    getSubscription(trx, contactOf(input, context)),
  ),
  unsubscribe: inTransaction(operations.consent.unsubscribe, async (trx, input, context) => {
    const contact = targetOf(input, context);
    note(context, contact, await unsubscribeContact(trx, contact, input.note));
    return await getSubscription(trx, contact);
  }),
  resubscribe: inTransaction(operations.consent.resubscribe, async (trx, input, context) => {
    const contact = targetOf(input, context);
    note(context, contact, await resubscribeContact(trx, contact, input.basis));
    return await getSubscription(trx, contact);
  }),
};

function rejectPlatformCollection(collection: string): string {
  if (isPlatformCollection(collection)) throw notFound();
  return collection;
}

const contactOf = ({ collection, key }: ContactPath, { organizationId }: OperationContext): ContactKey => ({
  organizationId,
  collection: rejectPlatformCollection(collection),
  key,
});

/** @throws 403 for all brands to who may see or change some of them only */
function targetOf(input: ContactPath & { brand_id: string | null }, context: OperationContext) {
  const { rules, organizationId, userId } = context;
  const { brand_id } = input;
  const isOfAll = (['read', 'update'] as const).every(
    (action) => accessScopeOf(rules, action, 'Consent', organizationId) === 'all',
  );
  if (brand_id === null && !isOfAll) throw forbidden('update', 'Consent');
  return { ...contactOf(input, context), brandId: brand_id, userId };
}

/** For the audit log. What was said about a contact stays with the contact: entries of the log outlive it. */
const note = (context: OperationContext, { key }: ContactKey, { brand }: ChangedSubscription) =>
  context.note({ record_id: key, details: brand === null ? { all_brands: true } : { brand } });
