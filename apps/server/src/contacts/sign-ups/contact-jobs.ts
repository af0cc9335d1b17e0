import { ORPCError } from '@orpc/contract';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { handleJobs, JobFailed, RetryLater, type JobHandler } from '../../platform/jobs/job-kind.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import type { DirectusBackend } from '../../content/directus/directus-backend.ts';
import { openBackend } from '../../content/gateway/with-content.ts';
import { consentOf, declineUnticked, signUpContactJobs } from './confirm-sign-up.ts';
import { findSignUp, storeContactState, type StoredSignUp } from './sign-up.queries.ts';
import { findContactByAddress, toErrorContent, writeBuiltInContact, writeContact } from './write-contact.ts';

/** Writes the contacts of confirmed sign-ups that could not be written with the confirmation. Retries for about a day. */
export const handleSignUpContacts = ({
  db,
  onWritten,
  ...deps
}: DirectusDeps & {
  db: Database;
  /** What the sign-up causes, in the transaction that stores its contact. */
  onWritten: (trx: Transaction, organizationId: string, signUp: StoredSignUp) => Promise<void>;
}): JobHandler =>
  handleJobs(signUpContactJobs, {
    run: async ({ organizationId, payload }) => {
      if (organizationId === null) throw new JobFailed('A sign-up belongs to an organization.');
      const run = <T>(work: (trx: Transaction) => Promise<T>) => inOrganization(db, organizationId, work);
      const id = payload.sign_up_id;
      const signUp = await run((trx) => findSignUp(trx, organizationId, id));
      if (signUp?.contact_state !== 'waiting') return;
      const open = await openBackend(deps, { organizationId, userId: null }, run);
      const result =
        open.kind === 'directus'
          ? await writeToDirectus(open.backend, signUp)
          : await run((trx) => writeBuiltInContact(trx, consentOf(organizationId, signUp), signUp));
      const failure = 'error' in result ? result.error : undefined;
      await run(async (trx) => {
        if ('isNew' in result && result.isNew) await declineUnticked(trx, organizationId, signUp);
        await storeContactState(
          trx,
          organizationId,
          id,
          'error' in result
            ? { contact_state: 'waiting', error_content: result.error }
            : { contact_state: 'written', contact_id: result.contactId, error_content: null },
        );
        if ('contactId' in result)
          await onWritten(trx, organizationId, { ...signUp, contact_id: result.contactId });
      });
      if (failure !== undefined) throw new RetryLater('The content backend has not taken the contact.');
    },
    giveUp: async ({ organizationId, payload }) => {
      if (organizationId !== null)
        await inOrganization(db, organizationId, (trx) =>
          storeContactState(trx, organizationId, payload.sign_up_id, { contact_state: 'failed' }),
        );
    },
    maxAttempts: 30,
    delaysMs: [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000],
    concurrency: 4,
    perOrganization: 1,
  });

async function writeToDirectus(
  backend: DirectusBackend,
  signUp: StoredSignUp,
): Promise<{ contactId: string; isNew: boolean } | { error: string }> {
  try {
    const found = await findContactByAddress(backend, signUp);
    const contactId = await writeContact(backend, signUp, found);
    return found?.['unsubscribed'] === true
      ? { error: 'Your Directus marks this contact as unsubscribed. Change that first.' }
      : { contactId, isNew: found === undefined };
  } catch (error) {
    if (!(error instanceof ORPCError)) throw error;
    return { error: toErrorContent(error) };
  }
}
