import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import type { JobKind } from '../../platform/jobs/job-kind.ts';
import type { Secrets } from '../../platform/secrets.ts';

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

/** One for each row: when it is sent, and how often it is tried. */
export const accountEmailJobs: JobKind<{ email_id: string }> = {
  name: 'account_email',
  payload: z.strictObject({ email_id: z.uuid() }),
  maxOpen: 10_000,
  atLimit: 'unavailable',
};

/** A short mail, the same for HTML and text; all of it is plain text. */
export interface AccountEmailContent {
  subject: string;
  /** Above the button or code. */
  paragraphs: string[];
  button?: { label: string; url: string };
  /** Shown large, to be typed in. */
  code?: string;
  /** The language of the text if it is not that of the job: the person's own, known only now. */
  language?: EmailLanguage;
  /** Below, smaller: how long it holds, what to do if it was somebody else. */
  notes: string[];
}

export interface ComposeDeps {
  db: Database;
  secrets: Secrets;
  publicUrl: string;
}

/**
 * Makes the mail in the moment of sending, codes and links included, so that none waits in the database. Undefined when
 * there is nothing to send, for example to an address that nobody has registered: anyone who asked cannot tell.
 */
export type ComposeAccountEmail = (
  deps: ComposeDeps,
  job: AccountEmailJob,
) => Promise<AccountEmailContent | undefined>;
