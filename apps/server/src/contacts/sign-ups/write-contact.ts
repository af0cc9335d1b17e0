import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { domainToUnicode } from 'node:url';
import { ORPCError } from '@orpc/contract';
import type { Item } from '@reachout/contract/content.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ContentBackend } from '../../content/backend/content-backend.ts';
import { createBuiltInBackend } from '../../content/built-in/built-in-backend.ts';
import { findByUniqueValue } from '../../content/built-in/unique-value.queries.ts';
import { markUnsubscribed } from '../../content/built-in/write-item.queries.ts';
import { createContactRules } from '../contact-rules.ts';
import type { NewConsent } from '../consent/choices.queries.ts';
import { replaceMark } from '../consent/opt-outs.queries.ts';
import { rollbackToSavepoint, setSavepoint, type StoredSignUp } from './sign-up.queries.ts';

type SignUpContact = Pick<StoredSignUp, 'collection' | 'address' | 'address_key' | 'field_values'>;

/** Contacts keep the domain as it was entered, and sign-ups have it as A-labels. */
function withUnicodeDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + domainToUnicode(address.slice(at));
}

/** The contact of the address in any content backend; undefined if there is none. */
export async function findContactByAddress(
  backend: ContentBackend,
  { collection, address, address_key: key }: SignUpContact,
): Promise<Item | undefined> {
  const spellings = [address, key].flatMap((text) => [text, withUnicodeDomain(text)]);
  const query = { filter: { email: { _in: [...new Set(spellings)] } }, limit: 1, offset: 0 };
  return (await backend.findItems(collection, query))[0];
}

/**
 * Creates the contact, or fills its empty fields: what is known of a contact is never replaced by what somebody enters in a
 * public form.
 * @param found  the contact of this address
 * @returns its key
 * @throws the errors of a content backend
 */
export async function writeContact(
  backend: ContentBackend,
  { collection, address, field_values: values }: SignUpContact,
  found: Item | undefined,
): Promise<string> {
  if (found === undefined) {
    const created = await backend.createItem(collection, { ...values, email: address });
    return keyOf(created);
  }
  const key = keyOf(found);
  const missing = Object.entries(values).filter(([field]) => isEmpty(found[field]));
  if (missing.length > 0) await backend.updateItem(collection, key, Object.fromEntries(missing));
  return key;
}

/** Backends return keys as text. */
const keyOf = ({ id }: Item): string => id as string;

/** A “no” in a true/false field is a default more often than an answer, and a form has only a “yes”. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === false;

/**
 * Writes the contact to the built-in backend, where the mark `unsubscribed` is replaced by opt-outs of the other brands. What
 * fails is undone, and leaves the transaction usable.
 * @returns its key, or why the backend does not take it
 */
export async function writeBuiltInContact(
  trx: Transaction,
  consent: NewConsent,
  signUp: SignUpContact,
): Promise<{ contactId: string } | { error: string }> {
  const { organizationId } = consent;
  const { collection, address_key: addressKey } = signUp;
  const backend = createBuiltInBackend(trx, {
    organizationId,
    userId: null,
    contacts: createContactRules(undefined),
  });
  await setSavepoint(trx);
  try {
    const find = (value: string) =>
      findByUniqueValue(trx, { organizationId, collection, field: 'email' }, value);
    const id = (await find(addressKey)) ?? (await find(withUnicodeDomain(addressKey)));
    const found =
      id === undefined ? await findContactByAddress(backend, signUp) : await backend.getItem(collection, id);
    if (found?.['unsubscribed'] === true) {
      await replaceMark(trx, consent, collection);
      await markUnsubscribed(trx, { organizationId, collection, id: keyOf(found) }, false);
    }
    return { contactId: await writeContact(backend, signUp, found) };
  } catch (error) {
    if (!(error instanceof ORPCError)) throw error;
    await rollbackToSavepoint(trx);
    return { error: toErrorContent(error) };
  }
}

/** What the screens show. It contains no values of the contact. */
export const toErrorContent = (error: ORPCError<string, unknown>): string => {
  const { errors } = (error.data ?? {}) as { errors?: readonly { path: string; message: string }[] };
  const about = errors?.map(({ path, message }) => `${path}: ${message}`).join(' ') ?? '';
  return cutText(`${error.message} ${about}`.trim(), 500);
};
