import { noteEverything } from '../../clients/outbox/note-changes.ts';
import { createStartingCollections } from '../../content/built-in/starting-collections.ts';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import { internalOrigin } from '../../identity/access/caller.ts';
import { createOrganization } from '../../identity/organizations/create-organization.ts';
import { transactionAs, type Database, type Transaction } from '../../platform/database/database.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import { newIdAt } from '../../platform/ids.ts';
import { createRandom } from '../../platform/random.ts';
import { buildSignUpForm } from '../../sample/sign-ups.ts';
import { createDomains } from './create-domains.ts';
import { waitWithin } from './demo.queries.ts';
import {
  createAudiences,
  createBrands,
  createIssues,
  createPeople,
  type MakeDemo,
  type Place,
} from './make-records.ts';
import { websiteBrand } from './invent-visits.ts';
import { inventPeople, type Person } from './people.ts';
import { dayMs, planEmails, type PlannedEmail } from './plan-emails.ts';
import { storeHistory } from './store-history.ts';
import { createTopics, storeChoices } from './store-topics.ts';
import { storeWebsite } from './store-website.ts';
import { plots } from './story/story.ts';

/** Any fixed number: demos created at the same time are identical. */
const seed = 20_261_123;

/** Longer than its history, so that the retention job erases no visit of it at first. */
const keptDays = 730;

/**
 * Creates an organization with 14 months of history in one transaction: by operations, and by rows where these would be as
 * old as the demo. The audit log gets one entry for everything.
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
      {
        ownerId: userId,
        name: story.organization,
        organization_size_id: '2-10',
        country_id: 'DE',
        website_events_days: keptDays,
      },
      { onCreated: createStartingCollections },
    );
    const place = { ...options, organizationId };
    const kits = await createBrands(trx, place);
    const collections = await createPeople(trx, place, kits, people);
    const brands = await createAudiences(trx, place, kits, collections, lastTopics(emails));
    await createIssues(trx, place);
    const topics = await createTopics(trx, place, kits);
    await storeChoices(trx, place, kits, { topics, people, random: createRandom(seed + 1) });
    const { campaigns, links } = await storeHistory(trx, place, { brands, topics, emails, people, random });
    if (options.domains !== undefined)
      await waitWithin(trx, createDomains(trx, place, options.domains, { kits, campaigns }));
    await storeWebsite(trx, place, kits[websiteBrand].id, links);
    await storeSignUps(trx, place, kits[websiteBrand].id, collections[plots[websiteBrand].client], people);
    await noteEverything(trx, organizationId);
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

/** @returns the topic of the last email of each brand */
const lastTopics = (emails: readonly PlannedEmail[]) =>
  new Map(emails.map(({ brand, topic }) => [brand, topic]));

/** @returns when the contacts with dead mailboxes were imported: two days before the send that bounced */
const importedAt = (emails: readonly PlannedEmail[]): Date =>
  new Date(emails.find(({ isBad }) => isBad)!.at.getTime() - 2 * dayMs);

/** The newest contacts of the brand have come by its form. */
const confirmed = 6;
const minuteMs = 60_000;
/** For documentation (RFC 5737). */
const network = '203.0.113.0/24';

/** Stores a sign-up form on the website, with the sign-ups of its newest contacts and one that waits. */
async function storeSignUps(
  trx: Transaction,
  { story, organizationId, userId, now }: Place,
  brandId: string,
  collection: string,
  people: readonly Person[],
): Promise<void> {
  const { name, waiting, first_name, ...texts } = story.signUps;
  const newest = people
    .filter(({ brands, isDead }) => brands.has(websiteBrand) && !isDead)
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, confirmed);
  const createdAt = new Date(Math.min(...newest.map(({ at }) => at.getTime())) - 60 * minuteMs);
  const since = { created_at: createdAt.toISOString(), updated_at: createdAt.toISOString() };
  const signUp = (address: string, at: Date) => ({
    id: newIdAt(at),
    address,
    source_page: plots[websiteBrand].domain,
    requested_at: at.toISOString(),
    requested_ip_prefix: network,
  });
  await buildSignUpForm(
    trx,
    {
      organization_id: organizationId,
      id: newIdAt(createdAt),
      brand_id: brandId,
      collection,
      name,
      ...since,
      content: {
        created_by: userId,
        language: story.language,
        fields: JSON.stringify([{ name: 'first_name', label: first_name, is_required: false }]),
        ...texts,
      },
    },
    [
      ...newest.map(({ id, at, data }) => ({
        ...signUp(data.email, new Date(at.getTime() - 5 * minuteMs)),
        field_values: JSON.stringify({ first_name: data['first_name'] }),
        confirmed_at: at.toISOString(),
        confirmed_ip_prefix: network,
        contact_id: id,
      })),
      signUp(waiting, new Date(now.getTime() - 90 * minuteMs)),
    ],
  );
}
