import type { FieldMapping } from '@reachout/contract/filters.ts';
import { isUsableFor } from '@reachout/contract/rules/owners.ts';
import { InvalidRule } from '../../content/backend/invalid-rule.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { TagFields } from './check-merge-tags.ts';
import { findEndpoint } from '../../content/directus/connection.queries.ts';
import { parseAudience, audienceVersion, type Audience, type StoredAudience } from './audience.ts';
import { findRelate, listContactFields } from '../../content/gateway/contact-collection.ts';
import { findAnyContacts, findFilterDefinition, findFirstContacts } from './find-audience.queries.ts';
import { findCollectionUse } from '../../content/gateway/contact-collection.queries.ts';
import { describeSendError, sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';

export { findEndpoint } from '../../content/directus/connection.queries.ts';
export { findSharedContacts } from './find-audience.queries.ts';

export interface FoundAudience {
  /** Undefined if the filter does not exist; an error text for users if it cannot be used. */
  audience: Audience | string | undefined;
  /** False if its contacts are outside the access scope: the caller can send to them but not see them. */
  showsContacts: boolean;
}

/**
 * Finds the audience of a stored filter, validated against the current fields and the owners of the filter and its contacts.
 * @param brandId  brand whose suppressions apply in addition to those of the organization
 * @param topicId  topic of the email, whose choices apply
 */
export async function findAudience(
  trx: Transaction,
  organizationId: string,
  filterId: string,
  brandId: string,
  topicId: string | null,
): Promise<FoundAudience> {
  const filter = await findFilterDefinition(trx, filterId);
  if (filter === undefined) return { audience: undefined, showsContacts: false };
  const { collection, rule, field_mapping } = filter;
  const endpoint = await findEndpoint(trx, organizationId);
  const source = { collection, endpoint };
  const { owner, brand, isVisible: showsContacts } = await findCollectionUse(trx, source, brandId);
  const refuse = (problem: string): FoundAudience => ({ audience: problem, showsContacts });
  const isForeign = (of: typeof owner) =>
    of !== undefined && (brand === undefined || !isUsableFor(of, brand));
  if (isForeign(filter)) return refuse(`The audience “${filter.name}” belongs to another client or brand.`);
  if (isForeign(owner))
    return refuse(`The contacts of the audience “${filter.name}” belong to another client or brand.`);
  if (endpoint !== null && owner === undefined)
    return refuse(
      `The audience “${filter.name}” can’t be used: The connected Directus has no collection ${collection}.`,
    );
  if (!filter.is_active) return refuse(`The audience “${filter.name}” is inactive.`);
  try {
    const fields = await listContactFields(trx, organizationId, source);
    const relate = await findRelate(trx, organizationId, { ...source, rule }, 'organization');
    const audience = parseAudience({ ...source, rule, field_mapping, brandId, topicId }, fields, relate);
    return { audience, showsContacts };
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error;
    return refuse(`The audience “${filter.name}” can’t be used: ${error.message}`);
  }
}

/** @returns the default contact collection for a brand's email that has no audience yet */
export const findCollectionOf = async (
  trx: Transaction,
  organizationId: string,
  brandId: string,
): Promise<string> =>
  // The empty name matches no collection.
  (await findFirstContacts(
    trx,
    { organizationId, endpoint: await findEndpoint(trx, organizationId) },
    brandId,
  )) ?? '';

/** @returns the contact collection that merge tags are shown with: the first of a brand, or else of all; undefined if there is none */
export async function findExampleContacts(
  trx: Transaction,
  organizationId: string,
  brandId: string | undefined,
): Promise<string | undefined> {
  const place = { organizationId, endpoint: await findEndpoint(trx, organizationId) };
  const first = brandId === undefined ? undefined : await findFirstContacts(trx, place, brandId);
  return first ?? (await findAnyContacts(trx, place));
}

/** @param from  the audience, or the contact collection until an audience is chosen */
export async function findTagFields(
  trx: Transaction,
  organizationId: string,
  from: Audience | string,
): Promise<TagFields> {
  const isDecided = typeof from === 'object';
  const source = isDecided ? from : { collection: from, endpoint: await findEndpoint(trx, organizationId) };
  const fields = await listContactFields(trx, organizationId, source);
  const names = fields.map(({ name }) => name).filter((name) => name !== 'id');
  return { collection: source.collection, names: names.toSorted(), isDecided };
}

/** A stored audience that this release cannot read. */
export class UnusableAudience extends Error {
  override name = 'UnusableAudience';
  /** Error to show to users. */
  readonly sendError: SendError;
  constructor(problem: SendError, options?: ErrorOptions) {
    super(describeSendError(problem), options);
    this.sendError = problem;
  }
}

/**
 * Converts a stored audience to the form of this release. An audience of an earlier release is parsed again from its
 * source, against the current fields. One of a later release (after a rollback) is rejected, because this release
 * might select other contacts.
 * @throws UnusableAudience
 */
export async function restoreAudience(
  trx: Transaction,
  organizationId: string,
  stored: StoredAudience,
): Promise<Audience> {
  await denyForeignContacts(trx, stored);
  if (stored.version === audienceVersion) {
    const {
      email,
      unsubscribed,
      time_zone = null,
      language = null,
      tracking_consent = null,
    } = stored.field_mapping;
    const field_mapping = { email, unsubscribed, time_zone, language, tracking_consent };
    return { ...stored, endpoint: stored.endpoint ?? null, topicId: stored.topicId ?? null, field_mapping };
  }
  if (stored.version > audienceVersion) throw new UnusableAudience(sendError('audience_of_newer_version'));
  const { endpoint = null, collection, source, field_mapping, brandId, topicId = null } = stored;
  const fields = await listContactFields(trx, organizationId, { collection, endpoint });
  const input = { endpoint, collection, rule: source, field_mapping, brandId, topicId };
  const relate = await findRelate(trx, organizationId, input, 'organization');
  try {
    return parseAudience(input, fields, relate);
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error;
    throw new UnusableAudience(sendError('audience_unusable'), { cause: error });
  }
}

/**
 * All contacts of a collection as an audience, some of which are looked up by their keys. Their fields mean what they mean to
 * `mapping`, or else what their names say, as far as the collection has them: an audience may be of another client.
 * @param from.collection  empty for contacts that are known by an address alone
 * @returns undefined if the collection does not exist, or has no addresses
 * @throws UnusableAudience if the brand cannot use the contacts
 */
export async function findContactsAudience(
  trx: Transaction,
  organizationId: string,
  {
    mapping,
    ...from
  }: Pick<Audience, 'collection' | 'endpoint' | 'brandId' | 'topicId'> & { mapping: FieldMapping | null },
): Promise<Audience | undefined> {
  if (from.collection === '')
    return parseAudience(
      { ...from, endpoint: null, rule: {}, field_mapping: { email: 'email', unsubscribed: 'unsubscribed' } },
      [
        { name: 'email', type: 'string', unique: true },
        { name: 'unsubscribed', type: 'boolean', unique: false },
      ],
    );
  const fields = await listContactFields(trx, organizationId, from);
  const wanted = { email: 'email', ...mapping };
  // Whatever the audience says of the field: nobody has looked at these contacts.
  wanted.unsubscribed ??= 'unsubscribed';
  const has = (name: string | null | undefined) => fields.some((field) => field.name === name);
  const field_mapping = Object.fromEntries(
    Object.entries(wanted).map(([meaning, name]) => [meaning, has(name) ? name : null]),
  ) as FieldMapping;
  try {
    const audience = parseAudience({ ...from, rule: {}, field_mapping }, fields);
    await denyForeignContacts(trx, audience);
    return audience;
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error;
    return undefined;
  }
}

/**
 * Last check before a send: owners may have changed since it was confirmed.
 * @throws UnusableAudience
 */
async function denyForeignContacts(
  trx: Transaction,
  { endpoint = null, collection, brandId }: StoredAudience,
): Promise<void> {
  if (brandId === null) return;
  const source = { collection, endpoint };
  const { owner, brand = { client_id: null, brand_id: null } } = await findCollectionUse(
    trx,
    source,
    brandId,
  );
  if (owner !== undefined && !isUsableFor(owner, brand))
    throw new UnusableAudience(sendError('contacts_of_other_client'));
}
