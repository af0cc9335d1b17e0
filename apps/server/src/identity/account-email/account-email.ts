import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import type { JobKind } from '../../platform/jobs/job-kind.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { cutText } from '@reachout/contract/rules/cut-text.ts';

/** The emails that the platform itself sends; all others belong to campaigns. */
export const accountEmailKinds = [
  'confirm_sign_up',
  'already_registered',
  'sign_in_code',
  'reset_password',
  'password_changed',
  'confirm_new_email',
  'email_change_asked',
  'email_changed',
  'second_factor_changed',
  'invitation',
  'domain_failing',
  'complaints',
  'organization_status',
  'account_status',
  'confirm_data_request',
  'confirm_subscription',
] as const;
export type AccountEmailKind = (typeof accountEmailKinds)[number];

export const emailLanguages = ['en', 'de'] as const;
export type EmailLanguage = (typeof emailLanguages)[number];

/** A row of account_email_outbox. */
export interface AccountEmailJob {
  id: string;
  kind: AccountEmailKind;
  recipient: string;
  language: EmailLanguage;
  /** Ids and names, never a secret. */
  payload: Record<string, unknown>;
}

/** One job for each row, for its schedule and retries. */
export const accountEmailJobs: JobKind<{ email_id: string }> = {
  name: 'account_email',
  payload: z.strictObject({ email_id: z.uuid() }),
  maxOpen: 10_000,
  atLimit: 'unavailable',
};

/** Content of a short email, the same for HTML and text; all of it is plain text. */
export interface AccountEmailContent {
  /** On whose behalf it is sent, as its sender's name; Reachout if unset. */
  sender?: string;
  subject: string;
  /** Above the button or code. */
  paragraphs: string[];
  button?: { label: string; url: string };
  /** Shown in large type, for the recipient to enter. */
  code?: string;
  /** Language of the text if it differs from that of the job: the user's own, which is only known when composing. */
  language?: EmailLanguage;
  /** Below, in smaller type: how long it is valid, what to do if someone else requested it. */
  notes: string[];
}

export interface ComposeDeps {
  db: Database;
  secrets: Secrets;
  publicUrl: string;
}

/**
 * Composes the email when it is sent, including codes and links, so that none are stored in the database. Returns
 * undefined if there is nothing to send, for example to an unregistered address: the requester cannot tell.
 */
export type ComposeAccountEmail = (
  deps: ComposeDeps,
  job: AccountEmailJob,
) => Promise<AccountEmailContent | undefined>;

/**
 * @returns a name for an email to strangers, in a form that no mail program turns into a link: without schemes, and
 *   with a space after each dot
 */
export const withoutLinks = (name: string): string =>
  cutText(
    name
      .normalize('NFKC')
      .replaceAll(/[a-z][a-z0-9+.-]*:\/*/gi, '')
      .replaceAll(/[.。｡](?=\S)/g, '. ')
      .replaceAll('@', ' at '),
    80,
  );
