import type { Transaction } from '../../../platform/database/database.ts';
import type { Attempt, RateLimits } from '../../access/rate-limits.ts';
import { newToken, type Secrets } from '../../../platform/secrets.ts';
import { enqueueAccountEmail } from '../../account-email/enqueue-account-email.ts';
import type { EmailLanguage, AccountEmailKind } from '../../account-email/account-email.ts';
import { validForMs, type EmailedPurpose, type TokenPayload } from './one-time-token.ts';
import { insertToken } from './one-time-tokens.queries.ts';

const emailKindOf = {
  sign_up: 'confirm_sign_up',
  sign_in_code: 'sign_in_code',
  reset_password: 'reset_password',
  change_email: 'confirm_new_email',
} as const satisfies Record<EmailedPurpose, AccountEmailKind>;

/**
 * Counts an email requested for an address, whether or not the address is known. Purposes are counted separately:
 * requesting codes for someone's address does not keep that person from a new password.
 * @throws 429 `too_many_attempts`
 */
export const countEmail = (
  limits: RateLimits,
  ipPrefix: string,
  purpose: EmailedPurpose,
  email: string,
  ...more: Attempt[]
): Promise<void> =>
  limits.count(['mails_for_ip_prefix', ipPrefix], ['mails_to_address', `${purpose} ${email}`], ...more);

/**
 * Queues an email with a link or a code. Whether the address is known is checked only when the email is composed: until
 * then the work is the same, and no secret is stored in the database.
 * @param request.email  in lower case
 * @param request.pendingAuth  known only to the requesting browser
 */
export async function requestByEmail(
  trx: Transaction,
  secrets: Secrets,
  request: {
    purpose: EmailedPurpose;
    email: string;
    language: EmailLanguage;
    userId?: string;
    pendingAuth?: string;
    payload?: TokenPayload;
  },
): Promise<void> {
  const { purpose, email, language, userId, pendingAuth, payload } = request;
  const id = await insertToken(trx, {
    purpose,
    email,
    secret_hash: secrets.hash(purpose, newToken()),
    validForMs: validForMs[purpose],
    ...(userId !== undefined && { user_id: userId }),
    ...(pendingAuth !== undefined && { browser_hash: secrets.hash(pendingAuthHash(purpose), pendingAuth) }),
    ...(payload !== undefined && { payload }),
  });
  await enqueueAccountEmail(trx, {
    kind: emailKindOf[purpose],
    recipient: email,
    language,
    payload: { token_id: id },
    validForMs: validForMs[purpose],
  });
}

/** Hash purpose of `browser_hash`. Compare with all of `secrets.hashes`. */
export const pendingAuthHash = (purpose: EmailedPurpose): string => `browser/${purpose}`;
