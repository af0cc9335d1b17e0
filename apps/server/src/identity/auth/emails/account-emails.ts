import { graphemesOf } from '@reachout/contract/rules/cut-text.ts';
import { randomInt } from 'node:crypto';
import { transactionAs, type Transaction } from '../../../platform/database/database.ts';
import { newToken } from '../../../platform/secrets.ts';
import {
  withoutLinks,
  type ComposeDeps,
  type ComposeAccountEmail,
  type EmailLanguage,
  type AccountEmailContent,
  type AccountEmailJob,
  type AccountEmailKind,
} from '../../account-email/account-email.ts';
import { listMyApiKeys } from '../../api-keys/api-key.queries.ts';
import { accountEmailTexts, type AccountEmailTexts, type StatusText } from './account-email-texts.ts';
import { findCredentials, findCredentialsByEmail, type Credentials } from '../users/credentials.queries.ts';
import { isInvited } from '../sign-in/sign-up-invitation.ts';
import { languageOf } from './email-language.ts';
import { factorChanges } from '../second-factor/factor-notice.ts';
import { codeSecret, type TokenPurpose } from '../one-time-tokens/one-time-token.ts';
import {
  lockToken,
  setSecret,
  useToken,
  type OneTimeToken,
} from '../one-time-tokens/one-time-tokens.queries.ts';

/**
 * Emails about accounts. Whether to send and what to send is decided here, when the email is composed, and not when it
 * is requested: the requester cannot tell. Texts contain no names and nothing that a stranger wrote.
 */
export const accountEmails: Record<
  Exclude<AccountEmailKind, 'invitation' | 'confirm_data_request' | 'confirm_subscription'>,
  ComposeAccountEmail
> = {
  confirm_sign_up: (deps, job) =>
    withToken(deps, job.payload, 'sign_up', async (trx, token) => {
      const user = await findCredentialsByEmail(trx, token.email);
      if (user === undefined) {
        const { link_hashes: linkHashes } = token.payload;
        if (linkHashes !== undefined && !(await isInvited(trx, { email: token.email, linkHashes }))) {
          await useToken(trx, token.id);
          return undefined;
        }
        const url = await composeWithLink(deps, trx, 'sign_up', token, null, '/sign-up/confirm');
        return fill(textsIn(job.language).confirm_sign_up, url);
      }
      await useToken(trx, token.id);
      return user.status === 'active' ? notifyOfAccount(deps, user, job.language) : undefined;
    }),

  already_registered: (deps, job) =>
    transactionAs(deps.db, {}, async (trx) => {
      const user = await findCredentialsByEmail(trx, job.recipient);
      return user?.status === 'active' ? notifyOfAccount(deps, user, job.language) : undefined;
    }),

  sign_in_code: (deps, job) =>
    withToken(deps, job.payload, 'sign_in_code', async (trx, token) => {
      const user = await findCredentialsByEmail(trx, token.email);
      if (user?.status !== 'active') return undefined;
      const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
      const secret_hash = deps.secrets.hash('sign_in_code', codeSecret(token.id, code));
      await setSecret(trx, token.id, { secret_hash, user_id: user.id });
      return { ...textsIn(user.language ?? job.language).sign_in_code, code };
    }),

  reset_password: (deps, job) =>
    withToken(deps, job.payload, 'reset_password', async (trx, token) => {
      const user = await findCredentialsByEmail(trx, token.email);
      if (user?.status !== 'active') return undefined;
      const url = await composeWithLink(deps, trx, 'reset_password', token, user.id, '/reset-password/new');
      return fill(textsIn(user.language ?? job.language).reset_password, url);
    }),

  confirm_new_email: (deps, job) =>
    withToken(deps, job.payload, 'change_email', async (trx, token) => {
      const user = await findOwner(trx, token.user_id);
      // An address that belongs to an account by now cannot become another account's.
      if (user === undefined || (await findCredentialsByEmail(trx, token.email)) !== undefined)
        return undefined;
      const url = await composeWithLink(deps, trx, 'change_email', token, user.id, '/change-email');
      const { paragraphs, ...text } = textsIn(user.language ?? job.language).confirm_new_email;
      const named = paragraphs.map((line) => line.replace('{account}', masked(user.email)));
      return fill({ ...text, paragraphs: named }, url);
    }),

  password_changed: async (deps, job) => {
    const keys = job.payload['was_reset'] === true ? await describeApiKeys(deps, job) : undefined;
    return await notifyOwner(deps, job, ({ password_changed, password_was_reset, api_keys_work }) => {
      const url = `${deps.publicUrl}/reset-password`;
      if (keys === undefined) return fill(password_changed, url);
      const { paragraphs, ...text } = password_was_reset;
      const listed = keys.length === 0 ? [] : [api_keys_work, ...keys];
      return fill({ ...text, paragraphs: [...paragraphs, ...listed] }, url);
    });
  },

  email_change_asked: (deps, job) =>
    notifyOwner(deps, job, ({ email_change_asked }) =>
      fill(email_change_asked, `${deps.publicUrl}/reset-password`),
    ),

  second_factor_changed: (deps, job) =>
    notifyOwner(deps, job, ({ second_factor_changed: texts }) => {
      const change = factorChanges.find((known) => known === job.payload['change']);
      if (change === undefined) throw new Error('A notice of a second factor says what has changed.');
      const { changes, ...text } = texts;
      return fill({ ...text, paragraphs: [changes[change]] }, `${deps.publicUrl}/reset-password`);
    }),

  email_changed: (deps, job) => notifyOwner(deps, job, ({ email_changed }) => email_changed),

  domain_failing: (deps, job) =>
    notifyOwner(deps, job, ({ domain_failing: { paragraphs, ...text } }) => ({
      ...text,
      paragraphs: paragraphs.map((line) => line.replace('{domain}', String(job.payload['domain']))),
    })),

  complaints: (deps, job) =>
    notifyOwner(deps, job, ({ complaints: { paragraphs, paused, ...text } }) => {
      const { domain, complaints, accepted, is_paused } = job.payload;
      const values = { domain, complaints, accepted };
      const lines = is_paused === true ? [...paragraphs, paused] : paragraphs;
      return {
        ...text,
        paragraphs: lines.map((line) =>
          line.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof values) => String(values[name])),
        ),
      };
    }),

  organization_status: (deps, job) =>
    notifyOwner(deps, job, ({ organization_status: texts }) => {
      const { organization, status } = job.payload;
      return toStatusText(texts, job, texts.changes[readStatus(texts.changes, status)], (line) =>
        line.replace('{organization}', () => withoutLinks(String(organization))),
      );
    }),

  // Also to those who are suspended by now.
  account_status: async ({ db }, job) => {
    const user = await transactionAs(db, {}, (trx) => findCredentials(trx, String(job.payload['user_id'])));
    if (user === undefined) return undefined;
    const { account_status: texts } = textsIn(user.language ?? job.language);
    return toStatusText(texts, job, texts.changes[readStatus(texts.changes, job.payload['status'])]);
  },
};

const readStatus = <S extends string>(changes: Readonly<Record<S, string>>, status: unknown): S => {
  const known = (Object.keys(changes) as S[]).find((key) => key === status);
  if (known === undefined) throw new Error('A notice of a status says which it is.');
  return known;
};

/** @param change  the first paragraph, before the reason */
const toStatusText = (
  { subject, reason, notes, language }: StatusText,
  { payload }: AccountEmailJob,
  change: string,
  fillIn = (line: string) => line,
): AccountEmailContent => ({
  subject: fillIn(subject),
  paragraphs: [
    fillIn(change),
    ...(typeof payload['reason'] === 'string'
      ? [reason.replace('{reason}', () => withoutLinks(String(payload['reason'])))]
      : []),
  ],
  notes,
  ...(language !== undefined && { language }),
});

const shownKeys = 20;

/** API keys that stay valid after a reset, one line each. */
async function describeApiKeys({ db }: ComposeDeps, { payload }: AccountEmailJob): Promise<string[]> {
  const keys = await transactionAs(db, { userId: String(payload['user_id']) }, listMyApiKeys);
  const lines = keys.map(
    ({ name, prefix, organization_name }) =>
      `• ${withoutLinks(name)} (${prefix}…), ${withoutLinks(organization_name)}`,
  );
  return lines.length > shownKeys ? [...lines.slice(0, shownKeys), '…'] : lines;
}

/** Sets the language of each text, which may differ from that of the request. */
function textsIn(wish: string): AccountEmailTexts {
  const language = languageOf(wish);
  const texts = Object.entries(accountEmailTexts[language]) as [
    keyof AccountEmailTexts,
    AccountEmailContent | string,
  ][];
  return Object.fromEntries(
    texts.map(([kind, text]) => [kind, typeof text === 'string' ? text : { ...text, language }]),
  ) as unknown as AccountEmailTexts;
}

const notifyOfAccount = (
  { publicUrl }: ComposeDeps,
  user: Credentials,
  language: EmailLanguage,
): AccountEmailContent => fill(textsIn(user.language ?? language).already_registered, `${publicUrl}/sign-in`);

const fill = (
  { button, ...text }: AccountEmailContent & { button: { label: string; url: string } },
  url: string,
): AccountEmailContent => ({ ...text, button: { ...button, url } });

/** Enough for the owner to recognize; does not reveal the account to others. */
const masked = (email: string): string => `${graphemesOf(email)[0] ?? ''}•••@…`;

/** Composes nothing if the token was used, revoked or has expired meanwhile. */
const withToken = (
  { db }: ComposeDeps,
  payload: Record<string, unknown>,
  purpose: TokenPurpose,
  compose: (trx: Transaction, token: OneTimeToken) => Promise<AccountEmailContent | undefined>,
): Promise<AccountEmailContent | undefined> =>
  transactionAs(db, {}, async (trx) => {
    const token = await lockToken(trx, purpose, String(payload['token_id']));
    return token === undefined ? undefined : await compose(trx, token);
  });

/** Stores the secret of the link when the email is composed; a link from an earlier attempt stops working. */
async function composeWithLink(
  { secrets, publicUrl }: ComposeDeps,
  trx: Transaction,
  purpose: TokenPurpose,
  { id }: OneTimeToken,
  userId: string | null,
  path: string,
): Promise<string> {
  const token = newToken();
  await setSecret(trx, id, { secret_hash: secrets.hash(purpose, token), user_id: userId });
  return `${publicUrl}${path}?token=${token}`;
}

async function findOwner(trx: Transaction, userId: string | null): Promise<Credentials | undefined> {
  const user = userId === null ? undefined : await findCredentials(trx, userId);
  return user?.status === 'active' ? user : undefined;
}

async function notifyOwner(
  { db }: ComposeDeps,
  { payload, language }: AccountEmailJob,
  write: (texts: AccountEmailTexts) => AccountEmailContent,
): Promise<AccountEmailContent | undefined> {
  const user = await transactionAs(db, {}, (trx) => findOwner(trx, String(payload['user_id'])));
  return user === undefined ? undefined : write(textsIn(user.language ?? language));
}
