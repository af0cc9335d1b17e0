import { createStartingCollections } from '../../content/built-in/starting-collections.ts';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import { internalOrigin } from '../../identity/access/caller.ts';
import { createOrganization } from '../../identity/organizations/create-organization.ts';
import { transactionAs, type Database } from '../../platform/database/database.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import { createRandom } from '../../platform/random.ts';
import { createAudiences, createBrands, createPeople, type MakeDemo } from './make-records.ts';
import { inventPeople } from './people.ts';
import { dayMs, planEmails, type PlannedEmail } from './plan-emails.ts';
import { storeHistory } from './store-history.ts';

/** Any number will do: all demos of one moment are the same. */
const seed = 20_261_123;

/**
 * Makes an organization with 14 months behind it, in one transaction: all of it is there, or nothing. Its records are stored by
 * the modules that own them, many at once, and the audit log has one entry for all of it.
 */
export async function makeDemo(db: Database, options: MakeDemo): Promise<void> {
  const { story, userId, now } = options;
  const random = createRandom(seed);
  const emails = planEmails(story, now).map((email) =>
    options.hasOpenSends || email.fate === 'sent' ? email : toDraft(email, now),
  );
  const people = inventPeople(story, now, importedAt(emails), random);
  await transactionAs(db, { userId }, async (trx) => {
    const organizationId = await createOrganization(
      trx,
      { ownerId: userId, name: story.organization, organization_size_id: '2-10', country_id: 'DE' },
      { onCreated: createStartingCollections },
    );
    const place = { ...options, organizationId };
    const kits = await createBrands(trx, place);
    await createPeople(trx, place, people);
    const brands = await createAudiences(trx, place, kits, lastTopics(emails));
    await storeHistory(trx, place, { brands, emails, people, random });
    await writeAuditEntry(trx, { userId, organizationId, origin: internalOrigin }, 'demo.create', {
      record_type: 'organizations',
      record_id: organizationId,
      record_name: story.organization,
      details: { contacts: people.length, emails: emails.length },
    });
    await notifyWorkers(trx);
  });
}

const toDraft = (email: PlannedEmail, now: Date): PlannedEmail => ({
  ...email,
  fate: 'draft',
  at: email.at < now ? email.at : now,
});

/** By brand; later emails take the place of earlier ones. */
const lastTopics = (emails: readonly PlannedEmail[]) =>
  new Map(emails.map(({ brand, topic }) => [brand, topic]));

/** The contacts whose mailboxes are gone came two days before the send that found out. */
const importedAt = (emails: readonly PlannedEmail[]): Date =>
  new Date(emails.find(({ isBad }) => isBad)!.at.getTime() - 2 * dayMs);
