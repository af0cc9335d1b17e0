import { writeAuditEntry } from '../../access/audit.ts';
import { inTransaction, operations, type OperationContext } from '../../access/operations.ts';
import { apiError, invalidInput, notFound, notSignedIn } from '../../../platform/http/api-error.ts';
import { enterOrganization, type Transaction } from '../../../platform/database/database.ts';
import { listMyOrganizations } from '../../organizations/organization.queries.ts';
import { languageOf } from '../emails/email-language.ts';
import { deleteSessions } from '../sessions/sessions.queries.ts';
import { findCredentials, lockUser } from '../users/credentials.queries.ts';
import type { SecondFactorDeps } from '../sign-in-deps.ts';
import { enqueueFactorNotice, type FactorChange } from './factor-notice.ts';
import { listPasskeys } from './passkey.queries.ts';
import {
  renewRecoveryCodes,
  newTotpSecret,
  totpKey,
  totpUrl,
  codeAttempts,
  totpPlace,
  redeemCode,
  redeemSetupCode,
} from './verify-code.ts';
import {
  confirmTotp,
  deleteRecoveryCodes,
  deleteTotp,
  findFactors,
  findTotp,
  hasSecondFactor,
  upsertUnconfirmedTotp,
} from './second-factor.queries.ts';

/**
 * The second factors of the signed-in user. Adding or removing a factor ends the other sessions; the user is notified
 * of every change by email.
 */
export function createSecondFactorRoutes(deps: SecondFactorDeps) {
  const { secrets, limits } = deps;

  /** @throws 422 `invalid_input` for `code`, 429 `too_many_attempts`, 409 `authenticator_unreadable` */
  async function requireCode(userId: string, redeem: () => Promise<boolean>): Promise<void> {
    const attempts = codeAttempts(userId, undefined);
    await limits.count(...attempts);
    if (!(await redeem())) throw invalidInput('code', 'This is not the current code.');
    await limits.refund(...attempts);
  }
  const requireFactorCode = (trx: Transaction, userId: string, code: string) =>
    requireCode(userId, async () => (await redeemCode(trx, deps, userId, code)) !== undefined);

  return {
    secondFactor: inTransaction(operations.me.secondFactor, async (trx, _input, { userId }) => {
      const totp = await findTotp(trx, userId);
      const { recoveryCodes } = await findFactors(trx, userId);
      const { confirmed_at, last_used_at } = totp ?? { confirmed_at: null, last_used_at: null };
      return {
        totp: confirmed_at === null ? null : { created_at: confirmed_at, last_used_at },
        passkeys: await listPasskeys(trx, userId),
        recovery_codes_left: recoveryCodes,
      };
    }),
    startTotp: inTransaction(operations.me.startTotp, async (trx, _input, { userId }) => {
      const user = await getUser(trx, userId);
      const secret = newTotpSecret();
      if (!(await upsertUnconfirmedTotp(trx, userId, secrets.seal(totpPlace(userId), secret))))
        throw apiError('authenticator_exists');
      return { key: totpKey(secret), url: totpUrl(secret, user.email) };
    }),
    confirmTotp: inTransaction(operations.me.confirmTotp, async (trx, { code }, context) => {
      const { userId } = context;
      // With this lock, a concurrent sign-in is either recorded first and its session then ended, or must prove the
      // factor.
      await lockUser(trx, userId);
      const totp = await findTotp(trx, userId);
      if (totp === undefined) throw notFound();
      if (totp.confirmed_at !== null) throw apiError('authenticator_exists');
      const { secret_sealed: sealed } = totp;
      await requireCode(userId, () => redeemSetupCode(trx, deps, { userId, sealed, code }));
      await confirmTotp(trx, userId);
      return { recovery_codes: await completeFirstFactor(trx, deps, userId, 'totp_added', context) };
    }),
    removeTotp: inTransaction(operations.me.removeTotp, async (trx, { code }, context) => {
      const { userId } = context;
      if (!(await findFactors(trx, userId)).hasTotp) throw notFound();
      await requireFactorCode(trx, userId, code);
      await deleteTotp(trx, userId);
      await completeRemoval(trx, userId, 'totp_removed', context);
      return { id: userId };
    }),
    renewRecoveryCodes: inTransaction(operations.me.renewRecoveryCodes, async (trx, { code }, context) => {
      const { userId } = context;
      const { hasTotp, passkeys } = await findFactors(trx, userId);
      if (!hasTotp && passkeys === 0) throw notFound();
      // Without an authenticator app there is no code to ask for: a sign-in by passkey within the last hour is the
      // proof.
      if (hasTotp) await requireFactorCode(trx, userId, code ?? '');
      const codes = await renewRecoveryCodes(trx, secrets, userId);
      await tell(trx, userId, 'recovery_codes_renewed', context);
      return { recovery_codes: codes };
    }),
  };
}

/** @returns recovery codes for the first factor; null if the user has some already */
export async function completeFirstFactor(
  trx: Transaction,
  { secrets }: Pick<SecondFactorDeps, 'secrets'>,
  userId: string,
  change: FactorChange,
  context: OperationContext,
): Promise<string[] | null> {
  const { hasTotp, passkeys } = await findFactors(trx, userId);
  const isFirst = Number(hasTotp) + passkeys === 1;
  const codes = isFirst ? await renewRecoveryCodes(trx, secrets, userId) : null;
  // The other sessions were opened without the factor.
  await deleteSessions(trx, userId, context.sessionId);
  await tell(trx, userId, change, context);
  return codes;
}

/** Deletes the recovery codes with the last factor, ends the other sessions and notifies the user. */
export async function completeRemoval(
  trx: Transaction,
  userId: string,
  change: FactorChange,
  context: OperationContext,
): Promise<void> {
  if (!(await hasSecondFactor(trx, userId))) await deleteRecoveryCodes(trx, userId);
  await deleteSessions(trx, userId, context.sessionId);
  await tell(trx, userId, change, context);
}

/** Notifies the user by email and adds entries to the audit logs of the user's organizations. */
async function tell(
  trx: Transaction,
  userId: string,
  change: FactorChange,
  { origin }: OperationContext,
): Promise<void> {
  const user = await getUser(trx, userId);
  await enqueueFactorNotice(trx, user, change, languageOf(user.language));
  for (const { id: organizationId } of await listMyOrganizations(trx)) {
    await enterOrganization(trx, organizationId);
    await writeAuditEntry(trx, { userId, organizationId, origin }, 'second_factor', {
      record_type: 'members',
      record_id: userId,
      record_name: user.full_name,
      details: { change },
    });
  }
}

/** @throws 401 if the user was removed after the session look-up */
async function getUser(trx: Transaction, userId: string) {
  const user = await findCredentials(trx, userId);
  if (user === undefined) throw notSignedIn();
  return user;
}
