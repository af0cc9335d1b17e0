import type { RateLimits } from '../../identity/access/rate-limits.ts';
import { enqueueAccountEmail } from '../../identity/account-email/enqueue-account-email.ts';
import type { ParsedAddress } from '../../email/addresses/address.ts';
import type { InstallationPolicy } from '../../email/transports/sender-policy.ts';
import { refusal } from '../../ledger/allowance.ts';
import { reserve } from '../../ledger/allowances.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { findTopicsOf } from '../consent/contact-choices.queries.ts';
import type { JsonValue } from '../../content/backend/field-values.ts';
import type { PublicForm } from './sign-up-form.queries.ts';
import { insertSignUp } from './sign-up.queries.ts';

const dayMs = 86_400_000;

/**
 * Counts a confirmation mail to an address. An address gets no more than these, from any networks and with any forms.
 * docs/consent.md
 * @throws 429 `too_many_attempts`
 */
export const countConfirmationEmail = (
  limits: RateLimits,
  organizationId: string,
  { key }: ParsedAddress,
): Promise<void> => {
  const mailbox = mailboxOf(key);
  return limits.count(
    ['sign_up_emails_to_address_of_organization_lately', `${organizationId} ${mailbox}`],
    ['sign_up_emails_to_address_of_organization', `${organizationId} ${mailbox}`],
    ['sign_up_emails_to_address', mailbox],
  );
};

/** Gmail ignores dots, and has two domains. */
function mailboxOf(addressKey: string): string {
  const [, local] = /^(.+)@(?:gmail|googlemail)\.com$/.exec(addressKey) ?? [];
  return local === undefined ? addressKey : `${local.replaceAll('.', '')}@gmail.com`;
}

export interface SignUpRequest {
  address: ParsedAddress;
  values: Record<string, JsonValue>;
  topicIds: readonly string[];
  allowsTracking: boolean;
  /** Host and path of the page with the form, as its browser named it. */
  sourcePage: string | null;
  ipPrefix: string | null;
}

/**
 * Stores a request to sign up, and queues the mail that asks to confirm it. The same for every address: whether the mail is
 * sent is decided when it is composed. Each request counts as a recipient of the day.
 * @throws LimitExceeded if too many mails of the organization wait; 429 `daily_limit_reached`
 */
export async function requestSignUp(
  trx: Transaction,
  organizationId: string,
  form: PublicForm,
  policy: InstallationPolicy,
  { address, values, topicIds, allowsTracking, sourcePage, ipPrefix }: SignUpRequest,
): Promise<void> {
  const id = newId();
  const chosen = form.topic_ids.filter((topic) => topicIds.includes(topic));
  const topics = await findTopicsOf(trx, { organizationId, brandId: form.brand_id }, chosen);
  await insertSignUp(trx, {
    organization_id: organizationId,
    id,
    form_id: form.id,
    version: form.version,
    brand_id: form.brand_id,
    collection: form.collection,
    address: address.address,
    address_key: address.key,
    field_values: values,
    topics: topics.map((topic) => ({ id: topic.id, name: topic.name })),
    // Null if the form does not ask.
    tracking_consent: form.asks_tracking ? allowsTracking : null,
    source_page: sourcePage,
    requested_ip_prefix: ipPrefix,
  });
  await enqueueAccountEmail(trx, {
    kind: 'confirm_subscription',
    recipient: address.address,
    language: form.language,
    payload: { organization_id: organizationId, sign_up_id: id },
    validForMs: dayMs,
    organizationId,
  });
  const shortage = await reserve(trx, { organizationId, userId: null }, policy);
  if (shortage !== undefined) throw refusal(shortage, 1);
}
