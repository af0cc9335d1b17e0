import type { RawBuilder } from 'kysely';
import type { Item } from '@reachout/contract/content.ts';
import type { SignUp } from '@reachout/contract/sign-up-forms.ts';
import { maxResubscriptions, readAddressRecords } from '../../contacts/consent/address-records.ts';
import {
  findPersonItems,
  listMappedFields,
  selectContacts,
  selectGivenContacts,
  findRemotePerson,
} from '../../contacts/people/find-person.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { describeFailure } from '../../content/directus/describe-failure.ts';
import { readCountedUntil } from '../../events/counted-until.ts';
import { openBackend } from '../../content/gateway/with-content.ts';
import { maxSignUps, selectSignUpsOfPerson } from '../../contacts/sign-ups/sign-ups-of-person.ts';
import { RetryLater } from '../../platform/jobs/job-kind.ts';
import { isUuid } from '../../platform/ids.ts';
import { searchNextSends, selectReactionsOf, type PersonDelivery } from '../../queue/recipient-data.ts';
import { maxCopyBytes, type CopyAbout, type CopyList } from './data-request.ts';
import { selectMentions, selectWithEvents } from './data-requests.queries.ts';
import { selectVisitsOf, type PersonVisit } from './person-visits.queries.ts';
import type { PersonKey, Run } from './erase-person.ts';

// A copy is made of statements that add its records within PostgreSQL: an item may have a megabyte, and a person hundreds of
// them, while this process sends emails for everybody.

/** Bounds of a copy; beyond them, the oldest are left out, and `is_cut` says so. */
const maxMessages = 10_000;
const maxVisits = 5_000;
const maxReactions = 5_000;
/** Of each message; beyond, `events_count` has their number. */
const maxEvents = 1_000;
/** Of one statement. */
const contactsAtOnce = 100;
const messagesAtOnce = 500;

interface CopiedContact {
  collection: string;
  id: string;
  fields: Record<string, unknown>;
  created_at?: string;
  updated_at?: string;
  notes: { text: string; at: string }[];
}

/** The copy of a person's data, in the form in which it is given to them. */
export interface PersonCopy extends CopyAbout {
  contacts: CopiedContact[];
  /** Where else the address stands: fields of contacts of somebody else, of which nothing more is shown. */
  mentions: { collection: string; fields: Record<string, unknown> }[];
  messages: object[];
  visits: PersonVisit[];
  sign_ups: SignUp[];
  /** What events caused for the person. */
  reactions: object[];
}

/** A copy that is being made. */
export interface OpenCopy {
  /** Runs a transaction as a step of the job. */
  step: Run;
  /** Adds the rows of a query to a list of the copy, as a step. @returns their number and bytes */
  add: (list: CopyList, rows: RawBuilder<unknown>) => Promise<{ count: number; bytes: number }>;
  /** Removes what was added. */
  clear: () => Promise<void>;
}

export class CopyTooLarge extends Error {
  override name = 'CopyTooLarge';
}

/**
 * Adds what is known about a person to a copy. Nobody else is in it: not the members who wrote notes, nor those who changed
 * contacts.
 * @returns the rest of the copy
 * @throws CopyTooLarge; RetryLater while events are not counted for minutes
 */
export async function copyPerson(
  content: DirectusDeps & { run: Run },
  person: PersonKey,
  { step, clear, ...copy }: OpenCopy,
): Promise<CopyAbout> {
  const { organizationId, addressKey } = person;
  let bytes = 0;
  const add: OpenCopy['add'] = async (list, rows) => {
    const added = await copy.add(list, rows);
    bytes += added.bytes;
    if (bytes > maxCopyBytes) throw new CopyTooLarge();
    return added;
  };
  await clear();
  for (const subject of ['message', 'visitor'] as const) {
    const counted = await step((trx) => readCountedUntil(trx, organizationId, subject));
    // The copy has single events that were folded.
    if (counted.is_behind)
      throw new RetryLater('Opens, clicks and visits of the last minutes wait to be counted.');
  }
  const known: { collection: string; contact_id: string }[] = [{ collection: '', contact_id: addressKey }];
  const directus = await addRemote(content, person, { clear, add }, known);
  const { own, mentions, ...items } = await step((trx) => findPersonItems(trx, organizationId, addressKey));
  for (const keys of chunksOf(own, contactsAtOnce))
    await add('contacts', selectContacts(organizationId, keys));
  for (const some of chunksOf(mentions, contactsAtOnce)) await add('mentions', selectMentions(some));
  known.push(...own.map(({ collection, id }) => ({ collection, contact_id: id })));
  const contactIds = own.map(({ id }) => id).filter(isUuid);
  const areMessagesCut = await addMessages(organizationId, { addressKey, contactIds }, { step, add });
  const visits = await add('visits', selectVisitsOf(organizationId, known, maxVisits));
  const signUps = await add('sign_ups', selectSignUpsOfPerson(organizationId, addressKey));
  const reactions = await add('reactions', selectReactionsOf(organizationId, known, maxReactions));
  const consent = await step((trx) => readAddressRecords(trx, { organizationId, addressKey }));
  return {
    address: addressKey,
    made_at: new Date().toISOString(),
    directus,
    is_cut:
      items.isCut ||
      areMessagesCut ||
      visits.count === maxVisits ||
      signUps.count === maxSignUps ||
      reactions.count === maxReactions ||
      consent.resubscriptions.length === maxResubscriptions,
    consent,
  };
}

/** @returns whether there are more */
async function addMessages(
  organizationId: string,
  person: { addressKey: string; contactIds: readonly string[] },
  { step, add }: Pick<OpenCopy, 'step' | 'add'>,
): Promise<boolean> {
  const newest: PersonDelivery[] = [];
  for (let after = ''; newest.length <= maxMessages;) {
    const found = await step((trx) => searchNextSends(trx, organizationId, person, after, 'desc'));
    if (found === undefined) break;
    newest.push(...found.deliveries.toReversed());
    after = found.sendIds.at(-1)!;
  }
  for (const some of chunksOf(newest.slice(0, maxMessages).toReversed(), messagesAtOnce))
    await add('messages', selectWithEvents(organizationId, some, maxEvents));
  return newest.length > maxMessages;
}

function* chunksOf<T>(all: readonly T[], length: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length);
}

/** Adds contacts of a Directus. @param known  gets their keys */
async function addRemote(
  { run, ...deps }: DirectusDeps & { run: Run },
  { organizationId, addressKey }: PersonKey,
  { clear, add }: Pick<OpenCopy, 'clear' | 'add'>,
  known: { collection: string; contact_id: string }[],
): Promise<CopyAbout['directus']> {
  const open = await openBackend(deps, { organizationId, userId: null }, run);
  if (open.kind === 'built_in') return 'not_used';
  try {
    const mapped = await run((trx) => listMappedFields(trx, organizationId));
    for await (const { collection, items } of findRemotePerson(open.backend, mapped, addressKey)) {
      // The adapter returns keys as text.
      const own = items.filter(({ isOwn }) => isOwn).map(({ item }) => item as Item & { id: string });
      const contacts = own.map(({ id, user_created: _by, user_updated: _too, ...fields }) => ({
        collection,
        id,
        fields,
      }));
      if (contacts.length > 0) await add('contacts', selectGivenContacts(organizationId, contacts));
      const mentions = items
        .filter(({ isOwn }) => !isOwn)
        .map(({ item, names }) => ({
          collection,
          fields: Object.fromEntries(names.map((name) => [name, item[name]])),
        }));
      if (mentions.length > 0) await add('mentions', selectMentions(mentions));
      known.push(...own.map(({ id }) => ({ collection, contact_id: id })));
    }
    return 'read';
  } catch (error) {
    if (describeFailure(error) === undefined) throw error;
    await clear();
    known.splice(1);
    return 'not_read';
  }
}
