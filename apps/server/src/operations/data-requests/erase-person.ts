import { createBuiltInBackend } from '../../content/built-in/built-in-backend.ts';
import { clearFields } from '../../content/built-in/erase-items.ts';
import { deleteAddressRecords, insertOptOut } from '../../content/consent/address-records.ts';
import { rememberErasure, type AddressHashes } from '../../content/consent/erased-addresses.ts';
import { eraseContact } from '../../content/contacts/erase-contact.ts';
import { deleteReadContacts, findPersonItems, listMappedFields } from '../../content/contacts/find-person.ts';
import { findRemotePerson } from '../../content/contacts/find-remote-person.ts';
import { isAddress } from '../../content/contacts/places-of-address.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { openBackend } from '../../content/gateway/with-content.ts';
import { deleteRejectionsWith } from '../../content/imports/erase-imports.ts';
import { eraseSignUps } from '../../content/sign-ups/sign-ups-of-person.ts';
import { anonymizeEvents } from '../../events/recipient-events.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/ids.ts';
import {
  anonymizeDeliveries,
  anonymizeExclusions,
  isAnySendPrepared,
  searchNextSends,
} from '../../queue/recipient-data.ts';
import { deleteMessagesOf } from '../mailbox/mailbox.queries.ts';
import { eraseCopies } from './data-requests.queries.ts';

export interface PersonKey {
  organizationId: string;
  addressKey: string;
}

export type Run = <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;

/** The address gets no email from now on, also none of a send that has begun. */
export const objectForAll = (trx: Transaction, { organizationId, addressKey }: PersonKey): Promise<void> =>
  insertOptOut(trx, { organizationId, brandId: null, addressKey, createdBy: null, note: null });

/**
 * Erases all that this installation stores about a person for an organization. Can be repeated. Counts and totals stay.
 * @param step  runs a transaction that counts as progress of the job
 * @returns false if messages are not over yet: they end as suppressed, and the rest is erased when this is repeated
 */
export async function erasePerson(person: PersonKey, step: Run, secrets: AddressHashes): Promise<boolean> {
  const { organizationId, addressKey } = person;
  // Until the end, so that what has begun is not sent. Also when this is repeated after a member has lifted it.
  const { own: items, mentions } = await step(async (trx) => {
    await objectForAll(trx, person);
    return await findPersonItems(trx, organizationId, addressKey);
  });
  let isComplete = !(await step((trx) => isAnySendPrepared(trx, organizationId)));
  const contactIds = items.map(({ id }) => id).filter(isUuid);
  let after: string | undefined = '';
  while (after !== undefined)
    after = await step(async (trx) => {
      const found = await searchNextSends(trx, organizationId, { addressKey, contactIds }, after ?? '');
      if (found === undefined) return undefined;
      const ended = found.deliveries.filter(({ is_over }) => is_over);
      if (ended.length < found.deliveries.length) isComplete = false;
      await anonymizeEvents(trx, organizationId, ended);
      await anonymizeDeliveries(trx, organizationId, ended);
      await anonymizeExclusions(trx, organizationId, found.sendIds, { addressKey, contactIds });
      return found.sendIds.at(-1);
    });
  for (const { collection, id } of items)
    await step(async (trx) => {
      const backend = createBuiltInBackend(trx, { organizationId, userId: null });
      // Somebody may have deleted it meanwhile.
      if (
        (await backend.findItems(collection, { filter: { id: { _eq: id } }, limit: 1, offset: 0 })).length > 0
      )
        await backend.deleteItem(collection, id);
      await eraseContact(trx, { organizationId, collection, key: id });
    });
  for (const { collection, id, fields } of mentions)
    await step((trx) =>
      clearFields(trx, { organizationId, collection, id }, Object.keys(fields), (value) =>
        isAddress(value, addressKey),
      ),
    );
  await step(async (trx) => {
    // Visitors that a single message has bound: it belongs to no collection, and names its address.
    await eraseContact(trx, { organizationId, collection: '', key: addressKey });
    await deleteMessagesOf(trx, organizationId, addressKey);
    await deleteRejectionsWith(trx, organizationId, addressKey);
    await deleteReadContacts(trx, organizationId, addressKey);
    await eraseSignUps(trx, organizationId, addressKey);
    await eraseCopies(trx, organizationId, addressKey);
    await rememberErasure(trx, secrets, organizationId, addressKey);
    if (isComplete) await deleteAddressRecords(trx, organizationId, addressKey);
  });
  return isComplete;
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
  const { own, mentions } = await findRemotePerson(open.backend, mapped, addressKey);
  for (const { collection, item, names } of mentions)
    await open.backend.updateItem(
      collection,
      item['id'] as string,
      Object.fromEntries(names.map((name) => [name, null])),
    );
  for (const { collection, item } of own) {
    // The adapter returns keys as text.
    const key = item['id'] as string;
    await open.backend.deleteItem(collection, key);
    await run((trx) => eraseContact(trx, { organizationId, collection, key }));
  }
}
