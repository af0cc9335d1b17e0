import type { BackendAccess } from '../../content/gateway/contact-collection.ts';
import { findCollectionOf } from '../../contacts/audiences/find-audience.ts';
import { findContact, type FoundContact } from '../../contacts/audiences/find-contact.ts';
import { isMemberAddress } from '../../identity/memberships/is-member-address.ts';
import type { ReviewedTouchpoint } from '../../outreach/channels/channel.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidInput, tooManyAttempts } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import { insertMessage } from '../../queue/message.queries.ts';
import { listTestTimes, lockTests } from '../../queue/test-sends.queries.ts';
import { insertSend } from '../../queue/insert-send.queries.ts';
import { changedSinceReview, sendBlocked } from '../sends/start-send.ts';
import { parseRecipient, pickFields } from './create-message.ts';

/** Per user and organization. */
const testsPerHour = 20;
const hourMs = 3_600_000;

export interface TestRequest {
  userId: string;
  to: string;
  /** The contact whose fields fill the template: the result of `findTestContact`. */
  contact: FoundContact | undefined;
  /** Whether a contact with the address `to` is marked as unsubscribed (`findMark`). */
  isUnsubscribed: boolean;
}

/** Finds the contact whose fields a test uses. It may be remote, so the lookup runs outside transactions. @throws 422 */
export async function findTestContact(
  access: BackendAccess,
  { touchpoint, message }: ReviewedTouchpoint,
  contactId: string | undefined,
): Promise<FoundContact | undefined> {
  const { organization_id, brand_id } = touchpoint;
  const from =
    message?.audience ?? (await access.run((trx) => findCollectionOf(trx, organization_id, brand_id)));
  const contact = await findContact(access, from, contactId);
  if (contactId !== undefined && contact === undefined)
    throw invalidInput('collectionItemId', 'There is no such contact.');
  return contact;
}

/**
 * Sends an email to one member as it is now, in a separate send that no statistic counts. Its subject begins with [Test].
 * @returns the id of the message
 * @throws 409 `send_blocked`, `changed_elsewhere`; 422; 429
 */
export async function sendTest(
  trx: Transaction,
  { touchpoint, review, message, isCurrent }: ReviewedTouchpoint,
  { userId, to, contact, isUnsubscribed }: TestRequest,
  now: Date,
): Promise<string> {
  if (!(await isCurrent(trx))) throw changedSinceReview();
  if (message === undefined) throw sendBlocked(review);
  const organizationId = touchpoint.organization_id;
  const address = await checkTest(trx, { userId, to }, now);
  const { content } = message;
  const sendId = newId();
  await insertSend(
    trx,
    {
      id: sendId,
      organization_id: organizationId,
      touchpoint_id: touchpoint.id,
      brand_id: touchpoint.brand_id,
      item_id: message.itemId,
      topic_id: message.topicId,
      kind: 'test',
      status: 'sending',
      startAt: 0,
      uncertain_policy: 'hold',
      recipients_confirmed_count: 1,
      user_created: userId,
    },
    { content: { ...content, subject: `[Test] ${content.subject}` }, audience: null },
  );
  const id = newId();
  const variables = pickFields(contact?.data ?? {}, content.contact_fields);
  await insertMessage(trx, {
    id,
    organizationId,
    sendId,
    contactId: contact?.id ?? address,
    address,
    variables,
    isUnsubscribed,
  });
  await notifyWorkers(trx);
  return id;
}

/**
 * Refuses a test that may not be sent now.
 * @returns the address as it is stored
 * @throws 422; 429
 */
export async function checkTest(
  trx: Transaction,
  { userId, to }: Pick<TestRequest, 'userId' | 'to'>,
  now: Date,
): Promise<string> {
  const address = parseRecipient('to', to);
  if (!(await isMemberAddress(trx, address)))
    throw invalidInput('to', 'Tests go to members of the organization alone.');
  await countTest(trx, userId, now);
  return address;
}

/** @throws 429 */
async function countTest(trx: Transaction, userId: string, now: Date): Promise<void> {
  await lockTests(trx, userId);
  const times = await listTestTimes(trx, userId, testsPerHour);
  const [oldest] = times;
  if (times.length < testsPerHour || oldest === undefined) return;
  throw tooManyAttempts(Math.max(1, Math.ceil((oldest.getTime() + hourMs - now.getTime()) / 1_000)));
}
