import { describeSendError, sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import { isUsableFor } from '@reachout/contract/rules/owners.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { InvalidRule } from '../../content/backend/invalid-rule.ts';
import { audienceVersion, parseAudience, type Audience, type StoredAudience } from './audience.ts';
import { findRelate, listContactFields } from '../../content/gateway/contact-collection.ts';
import { findCollectionUse } from '../../content/gateway/contact-collection.queries.ts';

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
