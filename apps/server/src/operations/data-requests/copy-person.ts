import type { SignUp } from '@reachout/contract/sign-up-forms.ts';
import { readAddressRecords, type AddressRecords } from '../../content/consent/address-records.ts';
import { findPersonItems, listMappedFields, listNotes } from '../../content/contacts/find-person.ts';
import { findRemotePerson, type RemotePerson } from '../../content/contacts/find-remote-person.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { describeFailure } from '../../content/directus/describe-failure.ts';
import { openBackend } from '../../content/gateway/with-content.ts';
import { listSignUpsOfPerson } from '../../content/sign-ups/sign-ups-of-person.ts';
import { listEventsOf } from '../../events/recipient-events.ts';
import { isUuid } from '../../platform/ids.ts';
import { readMessagesOf, searchNextSends } from '../../queue/recipient-data.ts';
import { listVisitsOf, type PersonVisit } from './person-visits.queries.ts';
import type { PersonKey, Run } from './erase-person.ts';

/** Bounds of a copy; beyond them, the oldest are left out, and `is_cut` says so. */
const maxMessages = 10_000;
const maxEvents = 50_000;
const maxVisits = 5_000;

interface CopiedContact {
  collection: string;
  id: string;
  fields: Record<string, unknown>;
  created_at?: string;
  updated_at?: string;
  notes: { text: string; at: string }[];
}

/** The copy of a person's data, in the form in which it is given to them. */
export interface PersonCopy {
  address: string;
  made_at: string;
  contacts: CopiedContact[];
  /** Where else the address stands: fields of contacts of somebody else, of which nothing more is shown. */
  mentions: { collection: string; fields: Record<string, unknown> }[];
  /** Contacts in the organization's Directus; `not_read`: it could not be asked. */
  directus: 'not_used' | 'read' | 'not_read';
  messages: object[];
  visits: PersonVisit[];
  consent: AddressRecords;
  sign_ups: SignUp[];
  is_cut: boolean;
}

/**
 * Collects what is known about a person. Nobody else is in it: not the members who wrote notes, nor those who changed contacts.
 * @param step  runs a transaction that counts as progress of the job
 */
export async function copyPerson(
  content: DirectusDeps & { run: Run },
  person: PersonKey,
  step: Run,
): Promise<PersonCopy> {
  const { organizationId, addressKey } = person;
  const { directus, remote } = await readRemote(content, person);
  const { own: items, mentions } = await step((trx) => findPersonItems(trx, organizationId, addressKey));
  const contacts: CopiedContact[] = [
    ...items.map(({ collection, id, data, date_created, date_updated }) => ({
      collection,
      id,
      fields: data,
      created_at: date_created,
      updated_at: date_updated,
      notes: [],
    })),
    ...remote.own.map(({ collection, item: { id, user_created: _by, user_updated: _too, ...fields } }) => ({
      collection,
      // The adapter returns keys as text.
      id: id as string,
      fields,
      notes: [],
    })),
  ];
  for (const contact of contacts)
    contact.notes = await step(async (trx) => {
      const notes = await listNotes(trx, { organizationId, collection: contact.collection, key: contact.id });
      return notes.map(({ text, created_at: at }) => ({ text, at }));
    });
  const contactIds = items.map(({ id }) => id).filter(isUuid);
  const messages: object[] = [];
  let isCut = false;
  let after: string | undefined = '';
  while (after !== undefined)
    after = await step(async (trx) => {
      const found = await searchNextSends(trx, organizationId, { addressKey, contactIds }, after ?? '');
      if (found === undefined) return undefined;
      const events = await listEventsOf(trx, organizationId, found.deliveries, maxEvents);
      for (const { send_id, seq, touchpoint_id: _touchpoint, ...message } of await readMessagesOf(
        trx,
        organizationId,
        found.deliveries,
      ))
        messages.push({
          ...message,
          events: events
            .filter((event) => event.send_id === send_id && event.seq === seq)
            .map(({ send_id: _send, seq: _seq, ...event }) => event),
        });
      if (messages.length > maxMessages) {
        messages.splice(0, messages.length - maxMessages);
        isCut = true;
      }
      return found.sendIds.at(-1);
    });
  const known = [
    ...contacts.map(({ collection, id }) => ({ collection, contact_id: id })),
    { collection: '', contact_id: addressKey },
  ];
  const visits = await step((trx) => listVisitsOf(trx, organizationId, known, maxVisits));
  return {
    address: addressKey,
    made_at: new Date().toISOString(),
    contacts,
    mentions: [
      ...mentions.map(({ collection, fields }) => ({ collection, fields })),
      ...remote.mentions.map(({ collection, item, names }) => ({
        collection,
        fields: Object.fromEntries(names.map((name) => [name, item[name]])),
      })),
    ],
    directus,
    messages,
    visits,
    consent: await step((trx) => readAddressRecords(trx, organizationId, addressKey)),
    sign_ups: await step((trx) => listSignUpsOfPerson(trx, organizationId, addressKey)),
    is_cut: isCut || visits.length === maxVisits,
  };
}

const nobody: RemotePerson = { own: [], mentions: [] };

async function readRemote(
  { run, ...deps }: DirectusDeps & { run: Run },
  { organizationId, addressKey }: PersonKey,
): Promise<{ directus: PersonCopy['directus']; remote: RemotePerson }> {
  const open = await openBackend(deps, { organizationId, userId: null }, run);
  if (open.kind === 'built_in') return { directus: 'not_used', remote: nobody };
  try {
    const mapped = await run((trx) => listMappedFields(trx, organizationId));
    return { directus: 'read', remote: await findRemotePerson(open.backend, mapped, addressKey) };
  } catch (error) {
    if (describeFailure(error) === undefined) throw error;
    return { directus: 'not_read', remote: nobody };
  }
}
