import { createBuiltInBackend } from '../../content/built-in/built-in-backend.ts';
import { clearFields } from '../../content/built-in/erase-items.ts';
import { deleteAddressRecords, enterChoices, optOut } from '../../contacts/consent/address-records.ts';
import { isErased, rememberErasure, type AddressHashes } from '../../contacts/consent/erased-addresses.ts';
import { eraseContact } from '../../contacts/people/erase-contact.ts';
import {
  deleteReadContacts,
  findPersonItems,
  listMappedFields,
  isAddress,
  findRemotePerson,
  type ItemKey,
} from '../../contacts/people/find-person.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { openBackend } from '../../content/gateway/with-content.ts';
import { deleteRejectionsWith } from '../../contacts/imports/erase-imports.ts';
import { eraseSignUps } from '../../contacts/sign-ups/sign-ups-of-person.ts';
import { anonymizeEvents } from '../../events/recipient-events.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/ids.ts';
import {
  anonymizeDeliveries,
  anonymizeExclusions,
  deleteReactionsOf,
  isAnySendPrepared,
  searchNextSends,
  suppressDeliveries,
} from '../../queue/recipient-data.ts';
import { deleteMessagesOf } from '../mailbox/mailbox.queries.ts';
import { eraseCopies } from './data-requests.queries.ts';

export interface PersonKey {
  organizationId: string;
  addressKey: string;
}

export type Run = <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;

const objectForAll = (trx: Transaction, { organizationId, addressKey }: PersonKey): Promise<unknown> =>
  enterChoices(trx, organizationId, [optOut(null, addressKey)]);

/** The address gets no email from now on, also none of a send that has begun, and not if it is entered again meanwhile. */
export async function beginErasure(
  trx: Transaction,
  secrets: AddressHashes,
  person: PersonKey,
): Promise<void> {
  await objectForAll(trx, person);
  await rememberErasure(trx, secrets, person.organizationId, person.addressKey);
}

/**
 * Erases all that this installation stores about a person for an organization. Can be repeated. Counts and totals stay.
 * @param step  runs a transaction that counts as progress of the job
 * @returns `open` if messages are not over yet, or something was added meanwhile: messages end as suppressed, and the rest is
 *   erased when this is repeated; `came_back` if the person has signed up or was resubscribed since `beginErasure`
 */
export async function erasePerson(
  person: PersonKey,
  run: Run,
  secrets: AddressHashes,
): Promise<'complete' | 'open' | 'came_back'> {
  const step: Run = (work) =>
    run(async (trx) => {
      if (!(await isErased(trx, secrets, person.organizationId, person.addressKey))) throw new CameBack();
      return await work(trx);
    });
  try {
    return (await eraseStored(person, step)) ? 'complete' : 'open';
  } catch (error) {
    if (error instanceof CameBack) return 'came_back';
    throw error;
  }
}

class CameBack extends Error {}

async function eraseStored(person: PersonKey, step: Run): Promise<boolean> {
  const { organizationId, addressKey } = person;
  // Until the end, so that what has begun is not sent. Also when this is repeated after the suppression was removed.
  const {
    own: items,
    mentions,
    isCut,
  } = await step(async (trx) => {
    await objectForAll(trx, person);
    return await findPersonItems(trx, organizationId, addressKey);
  });
  const isPrepared = await step((trx) => isAnySendPrepared(trx, organizationId));
  let isComplete = !isPrepared && !isCut;
  const contactIds = items.map(({ id }) => id).filter(isUuid);
  if ((await eraseMessages(person, contactIds, step)).open > 0) isComplete = false;
  // Until a send has selected its recipients, its messages to other addresses of a contact are found by the contact alone.
  for (const { collection, id } of isPrepared ? [] : items)
    await step(async (trx) => {
      const backend = createBuiltInBackend(trx, { organizationId, userId: null });
      // Somebody may have deleted it meanwhile.
      if (
        (await backend.findItems(collection, { filter: { id: { _eq: id } }, limit: 1, offset: 0 })).length > 0
      )
        await backend.deleteItem(collection, id);
      await eraseContact(trx, { organizationId, collection, key: id });
      await deleteReactionsOf(trx, organizationId, { collection, contactId: id });
    });
  for (const { collection, id, fields } of mentions)
    await step((trx) =>
      clearFields(trx, { organizationId, collection, id }, Object.keys(fields), (value) =>
        isAddress(value, addressKey),
      ),
    );
  // Sends that began before the suppression may have selected the person meanwhile.
  if (isComplete && (await eraseMessages(person, contactIds, step)).found > 0) isComplete = false;
  return await step(async (trx) => {
    // Visitors that a single message has bound: it belongs to no collection, and names its address.
    await eraseContact(trx, { organizationId, collection: '', key: addressKey });
    await deleteReactionsOf(trx, organizationId, { collection: '', contactId: addressKey });
    await deleteMessagesOf(trx, organizationId, addressKey);
    await deleteRejectionsWith(trx, organizationId, addressKey);
    await deleteReadContacts(trx, organizationId, addressKey);
    await eraseSignUps(trx, organizationId, addressKey);
    await eraseCopies(trx, organizationId, addressKey);
    if (!isComplete) return false;
    await deleteAddressRecords(trx, person);
    // After the deletion, for which writers of the same suppression wait.
    const { own } = await findPersonItems(trx, organizationId, addressKey);
    if (own.length === 0 && !(await isAnySendPrepared(trx, organizationId))) return true;
    await objectForAll(trx, person);
    return false;
  });
}

/** Removes the person from messages that are over, and lets the others end as suppressed. @returns how many messages were found, and how many are not over */
async function eraseMessages(
  { organizationId, addressKey }: PersonKey,
  contactIds: readonly string[],
  step: Run,
): Promise<{ found: number; open: number }> {
  const counts = { found: 0, open: 0 };
  let after: string | undefined = '';
  while (after !== undefined)
    after = await step(async (trx) => {
      const found = await searchNextSends(trx, organizationId, { addressKey, contactIds }, after ?? '');
      if (found === undefined) return undefined;
      const ended = found.deliveries.filter(({ is_over }) => is_over);
      const open = found.deliveries.filter(({ is_over }) => !is_over);
      counts.found += found.deliveries.length;
      counts.open += open.length;
      await suppressDeliveries(trx, organizationId, open, addressKey);
      await anonymizeEvents(trx, organizationId, ended);
      await anonymizeDeliveries(trx, organizationId, ended);
      await anonymizeExclusions(trx, organizationId, found.sendIds, { addressKey, contactIds });
      return found.sendIds.at(-1);
    });
  return counts;
}

/**
 * Deletes a person's contacts in the organization's Directus, and empties fields of others with the address, with the rights of its token and outside of transactions.
 * @throws 424 `backend_failed` and the other errors of a content backend
 */
export async function eraseRemotePerson(
  { run, ...deps }: DirectusDeps & { run: Run },
  { organizationId, addressKey }: PersonKey,
): Promise<void> {
  const open = await openBackend(deps, { organizationId, userId: null }, run);
  if (open.kind === 'built_in') return;
  const mapped = await run((trx) => listMappedFields(trx, organizationId));
  const own: ItemKey[] = [];
  const mentions: (ItemKey & { names: string[] })[] = [];
  // The pages are counted from the first item: nothing changes before all are read.
  for await (const { collection, items } of findRemotePerson(open.backend, mapped, addressKey))
    for (const { item, isOwn, names } of items) {
      // The adapter returns keys as text.
      const key = { collection, id: item['id'] as string };
      if (isOwn) own.push(key);
      else mentions.push({ ...key, names });
    }
  for (const { collection, id, names } of mentions)
    await open.backend.updateItem(collection, id, Object.fromEntries(names.map((name) => [name, null])));
  for (const { collection, id: key } of own) {
    await open.backend.deleteItem(collection, key);
    await run(async (trx) => {
      await eraseContact(trx, { organizationId, collection, key });
      await deleteReactionsOf(trx, organizationId, { collection, contactId: key });
    });
  }
}
