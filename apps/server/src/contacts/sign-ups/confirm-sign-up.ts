import { isOpen } from '../../identity/organizations/is-open.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import { topicChoice, trackingChoice } from '../consent/choices.ts';
import {
  endPause,
  enterChoices,
  isSuppressedSince,
  liftByPerson,
  listChoices,
  type BrandAddress,
  type NewConsent,
} from '../consent/choices.queries.ts';
import { findTopicsOf, type NamedTopic } from '../consent/contact-choices.queries.ts';
import { forgetErasure, suppressErased, type AddressHashes } from '../consent/erased-addresses.ts';
import { isUnmarkedContact } from '../../content/built-in/marked-contacts.queries.ts';
import { spellingsOf } from '../audiences/unsubscribed-mark.ts';
import { isDirectusConnected } from '../../content/directus/connection.queries.ts';
import { countConfirmed } from './sign-up-form.queries.ts';
import { findSignUp, storeConfirmation, storeContactState, type StoredSignUp } from './sign-up.queries.ts';
import { writeBuiltInContact } from './write-contact.ts';
import { z } from 'zod';
import type { JobKind } from '../../platform/jobs/job-kind.ts';
import { signRowToken, verifyRowToken, type RowRef } from '../../identity/access/row-tokens.ts';
import type { Secrets } from '../../platform/secrets.ts';

/** Writes the contact of a confirmed sign-up to the content backend. */
export const signUpContactJobs: JobKind<{ sign_up_id: string }> = {
  name: 'sign_up_contact',
  payload: z.strictObject({ sign_up_id: z.uuid() }),
  maxOpen: 10_000,
  atLimit: 'unavailable',
};

export type { StoredSignUp };

/**
 * Confirms a sign-up: stores the proof and the choices, takes opt-outs back, and writes the contact. Idempotent.
 * @returns `isNew`: whether this transaction confirmed it; undefined if it was deleted, or its form was, if the person has
 *   opted out since, or if the organization is suspended
 */
export async function confirmSignUp(
  trx: Transaction,
  secrets: AddressHashes,
  organizationId: string,
  { id, ipPrefix }: { id: string; ipPrefix: string | null },
): Promise<{ signUp: StoredSignUp; isNew: boolean } | undefined> {
  const signUp = await findSignUp(trx, organizationId, id, { lock: true });
  if (signUp === undefined) return undefined;
  if (signUp.confirmed_at !== null) return { signUp, isNew: false };
  if (!(await canBeConfirmed(trx, organizationId, signUp))) return undefined;
  await storeConfirmation(trx, organizationId, id, ipPrefix);
  await returnErased(trx, secrets, organizationId, signUp.address_key);
  await storeConsent(trx, organizationId, signUp);
  const contactId = await storeContact(trx, organizationId, signUp);
  await countConfirmed(trx, organizationId, signUp.form_id);
  return { signUp: { ...signUp, contact_id: contactId ?? null }, isNew: true };
}

/** A person whose data was erased comes back for one brand: the objection becomes an opt-out, which is lifted for this brand. */
async function returnErased(
  trx: Transaction,
  secrets: AddressHashes,
  organizationId: string,
  addressKey: string,
): Promise<void> {
  const brandsInScope = () => Promise.resolve([null]);
  const erased = await suppressErased(trx, secrets, { organizationId, brandsInScope }, () => [addressKey]);
  if (erased.length > 0) await forgetErasure(trx, secrets, organizationId, addressKey);
}

/** @returns undefined if it was deleted, its form was, it was not confirmed in time, or can no longer be */
export async function readSignUp(
  trx: Transaction,
  organizationId: string,
  id: string,
): Promise<StoredSignUp | undefined> {
  const signUp = await findSignUp(trx, organizationId, id);
  if (signUp === undefined || signUp.confirmed_at !== null) return signUp;
  return (await canBeConfirmed(trx, organizationId, signUp)) ? signUp : undefined;
}

/** What a person has said since the request counts: they have to sign up again. */
const canBeConfirmed = async (
  trx: Transaction,
  organizationId: string,
  { brand_id: brandId, address_key: addressKey, requested_at: since }: StoredSignUp,
): Promise<boolean> =>
  (await isOpen(trx)) && !(await isSuppressedSince(trx, { organizationId, brandId, addressKey }, since));

/**
 * Lists the topics that the confirmation declines: those that the form offered, were not ticked, and of which the address gets
 * nothing so far. A form does not know what somebody gets already, so it takes nothing of that back.
 */
export async function listDeclined(
  trx: Transaction,
  organizationId: string,
  signUp: StoredSignUp,
): Promise<NamedTopic[]> {
  const { brand_id: brandId, address_key: addressKey } = signUp;
  const unticked = signUp.topic_ids.filter((id) => !signUp.topics.some((topic) => topic.id === id));
  const address = { organizationId, brandId, addressKey };
  // A Directus is asked by the job that writes the contact: for a new one, it declines them.
  if (unticked.length === 0 || (await isDirectusConnected(trx, organizationId))) return [];
  const isOptedOut = await isSuppressedSince(trx, address, '-infinity');
  const spellings = spellingsOf(addressKey);
  const isContact = await isUnmarkedContact(trx, { organizationId, brandId, spellings });
  if (isContact && !isOptedOut) return [];
  return await findTopicsOf(trx, address, await withoutChoices(trx, address, unticked));
}

/** Declines for a contact that was new to the Directus. */
export async function declineUnticked(
  trx: Transaction,
  organizationId: string,
  signUp: StoredSignUp,
): Promise<void> {
  const { brand_id: brandId, address_key: addressKey } = signUp;
  const unticked = signUp.topic_ids.filter((id) => !signUp.topics.some((topic) => topic.id === id));
  const ids = await withoutChoices(trx, { organizationId, brandId, addressKey }, unticked);
  await enterChoices(trx, organizationId, declined(signUp, ids));
}

/** @returns those of the topics about which an address has chosen nothing */
async function withoutChoices(
  trx: Transaction,
  address: BrandAddress,
  ids: readonly string[],
): Promise<string[]> {
  const choices = await listChoices(trx, address);
  return ids.filter((id) => !choices.some(({ topic_id }) => topic_id === id));
}

const declined = (signUp: StoredSignUp, ids: readonly string[]) =>
  ids.map((id) => topicChoice(ofSignUp(signUp), id, false));

const ofSignUp = ({ brand_id, address_key }: StoredSignUp) =>
  ({ brand_id, address_key, source: 'sign_up' }) as const;

export const consentOf = (organizationId: string, signUp: StoredSignUp): NewConsent => ({
  organizationId,
  brandId: signUp.brand_id,
  addressKey: signUp.address_key,
  basis: `Sign-up form “${signUp.form_name}”, version ${signUp.version}`,
});

async function storeConsent(trx: Transaction, organizationId: string, signUp: StoredSignUp): Promise<void> {
  const consent = consentOf(organizationId, signUp);
  const refused = await listDeclined(trx, organizationId, signUp);
  await liftByPerson(trx, consent);
  const { topics, tracking_consent: isAllowed } = signUp;
  await enterChoices(trx, organizationId, [
    ...topics.map(({ id }) => topicChoice(ofSignUp(signUp), id, true)),
    ...declined(
      signUp,
      refused.map(({ id }) => id),
    ),
  ]);
  await endPause(trx, consent);
  if (isAllowed !== null)
    await enterChoices(trx, organizationId, [trackingChoice(ofSignUp(signUp), isAllowed)]);
}

/** A Directus is written to by a job, as no transaction waits for another server; so is what the built-in backend refuses. */
async function storeContact(
  trx: Transaction,
  organizationId: string,
  signUp: StoredSignUp,
): Promise<string | undefined> {
  const { id } = signUp;
  const isRemote = await isDirectusConnected(trx, organizationId);
  const result = isRemote
    ? undefined
    : await writeBuiltInContact(trx, consentOf(organizationId, signUp), signUp);
  if (result !== undefined && 'contactId' in result) {
    const { contactId } = result;
    await storeContactState(trx, organizationId, id, { contact_state: 'written', contact_id: contactId });
    return contactId;
  }
  if (result !== undefined)
    await storeContactState(trx, organizationId, id, {
      contact_state: 'waiting',
      error_content: result.error,
    });
  await enqueueJob(trx, signUpContactJobs, { organizationId, key: id, payload: { sign_up_id: id } });
  return undefined;
}

const purpose = 'confirmation of a sign-up';

/** The secret part of the link in the email that asks to confirm. */
export const toConfirmationToken = (secrets: Secrets, signUp: RowRef): string =>
  signRowToken(secrets, purpose, signUp);

export const readConfirmationToken = (secrets: Secrets, token: string): RowRef | undefined =>
  verifyRowToken(secrets, purpose, token);
