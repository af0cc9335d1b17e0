import { z } from 'zod';
import { Cause } from './event-graph.ts';
import { backendFailed } from './content-backend.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { quotaErrors } from './organizations.ts';
import { errorFields } from './sends.ts';
import { deliveryStates } from './statuses.ts';
import {
  collectionName,
  defaultPageSize,
  id,
  itemKey,
  multiLine,
  timestamp,
  timestampInput,
} from './values.ts';

// The contact page, apart from its fields and consent: notes, the messages sent to the contact, and its visits of websites.

export const ContactNote = z.object({
  id,
  text: z.string(),
  created_at: timestamp,
  /** Null if the author's account was deleted. */
  by: z.object({ id, full_name: z.string() }).nullable(),
});
export type ContactNote = z.infer<typeof ContactNote>;

/** The events of one kind for a message; clicks are grouped by link. */
export const ContactEvent = z.object({
  type: z.enum(['OPEN_EMAIL', 'CLICK', 'BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE']),
  /** Only for clicks; null if the link is no longer known. */
  url: z.string().nullable(),
  /** The first event by a person; null if there were only bots. */
  at: timestamp.nullable(),
  /** Events by people. */
  count: z.number(),
  /** Events by mail proxies and scanners. */
  bot_count: z.number(),
});
export type ContactEvent = z.infer<typeof ContactEvent>;

const Named = z.object({ id, name: z.string() });

const shownPlace = { touchpoint: Named, campaign: Named, brand: Named, client: Named };

export const ContactMessage = z.object({
  kind: z.literal('message'),
  send_id: id,
  seq: z.number(),
  /** When the message reached its final state; otherwise when it was requested or its send is due. */
  at: timestamp,
  state: z.enum(deliveryStates),
  /** The mail server's last reply. */
  reply: z.string().nullable(),
  ...errorFields,
  address: z.string(),
  ...shownPlace,
  /** Of a message that an email sent in reaction to an event of the contact. */
  cause: Cause.nullable(),
  /** Sorted by kind, then time; at most 20 links, those clicked first. */
  events: z.array(ContactEvent),
  /** Number of clicked links. */
  links_count: z.number(),
});
export type ContactMessage = z.infer<typeof ContactMessage>;

/** A visit of a website: events of the contact's browser without a pause of more than 30 minutes. */
export const ContactVisit = z.object({
  kind: z.literal('visit'),
  id,
  /** Its first event. */
  at: timestamp,
  /** Its last event. */
  ended_at: timestamp,
  page_views: z.number(),
  /** All events, page views included. */
  events_count: z.number(),
  first_path: z.string(),
  /** Null for none, and for the website itself. */
  referrer_host: z.string().nullable(),
  ...shownPlace,
});
export type ContactVisit = z.infer<typeof ContactVisit>;

export const maxNoteLength = 4_000;

const maxSequence = 2 ** 31 - 1;

/**
 * A place in a timeline: the time, and send and number of the message, or id of the visit and 0. Each part is one that the
 * database can hold.
 */
const timelineCursor = z
  .string()
  .max(120, { error: 'This is not a cursor.', abort: true })
  .regex(/^[0-9T:.Z-]{20,30}_[0-9a-f-]{36}_\d{1,10}$/, { error: 'This is not a cursor.', abort: true })
  .refine((cursor) => {
    const [at, sendId, seq] = cursor.split('_');
    return timestampInput.safeParse(at).success && id.safeParse(sendId).success && Number(seq) <= maxSequence;
  }, 'This is not a cursor.');

const inOrganization = memberOperations('Contacts', 'organization_id');
const contactPath = { collection: collectionName, key: itemKey };

export const contacts = {
  timeline: inOrganization(
    'GET /content/{organization_id}/timeline/{collection}/{key}',
    'The messages that a contact was sent, with what came back, and its visits of websites, the latest first',
    'read Statistics',
    { additionalPermissions: ['read Content', 'read Touchpoint'] },
  )
    .input({
      ...contactPath,
      /** `next` of the previous page. */
      cursor: timelineCursor.optional(),
      client_id: id.optional(),
      brand_id: id.optional(),
      limit: z.coerce.number<number>().int().min(1).max(100).default(defaultPageSize),
    })
    .errors(backendFailed)
    .output({
      items: z.array(z.discriminatedUnion('kind', [ContactMessage, ContactVisit])),
      /** Null on the last page. */
      next: z.string().nullable(),
      /**
       * More than 5,000 sends of the organization, or single messages to the contact, or 1,000 browsers in which it
       * followed a link: only the latest are searched.
       */
      is_cut: z.boolean(),
    }),
  notes: inOrganization(
    'GET /content/{organization_id}/notes/{collection}/{key}',
    'Notes on a contact, the latest first',
    'read Consent',
    { additionalPermissions: ['read Content'] },
  )
    .input(contactPath)
    .errors(backendFailed)
    .output({ items: z.array(ContactNote) }),
  addNote: inOrganization(
    'POST /content/{organization_id}/notes/{collection}/{key}',
    'Add a note to a contact',
    'update Content',
    { additionalPermissions: ['read Consent'], manualTransaction: true },
  )
    .input({
      ...contactPath,
      text: multiLine(maxNoteLength).refine((text) => text.trim() !== '', 'Write something.'),
    })
    .errors({ ...tooManyRecords, ...backendFailed, ...quotaErrors })
    .output(ContactNote),
  deleteNote: inOrganization(
    'DELETE /content/{organization_id}/notes/{collection}/{key}/{id}',
    'Delete a note',
    'update Content',
    { additionalPermissions: ['read Consent'] },
  )
    .input({ ...contactPath, id })
    .output({ id }),
};
