import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { errorFields } from './sends.ts';
import { deliveryStates } from './statuses.ts';
import { collectionName, id, itemKey, multiLine, timestamp } from './values.ts';

// What the page of a contact shows beside its fields and its consent: notes, and the messages it was sent.

export const ContactNote = z.object({
  id,
  text: z.string(),
  created_at: timestamp,
  /** Null for a note of somebody whose account was deleted. */
  by: z.object({ id, full_name: z.string() }).nullable(),
});
export type ContactNote = z.infer<typeof ContactNote>;

/** What came back after a message, of one kind, and of clicks on one link. */
export const ContactEvent = z.object({
  type: z.enum(['OPEN_EMAIL', 'CLICK', 'BOUNCE', 'UNSUBSCRIBE']),
  /** Of clicks; null also where the link is not known any more. */
  url: z.string().nullable(),
  /** The first by a person; null where there were only machines. */
  at: timestamp.nullable(),
  /** By people. */
  count: z.number(),
  /** By mail proxies and scanners. */
  bot_count: z.number(),
});
export type ContactEvent = z.infer<typeof ContactEvent>;

const Named = z.object({ id, name: z.string() });

export const ContactMessage = z.object({
  send_id: id,
  seq: z.number(),
  /** When the message ended in its state; of one that has not, when it was asked for or its send is due. */
  at: timestamp,
  state: z.enum(deliveryStates),
  /** What the mail server said last. */
  reply: z.string().nullable(),
  ...errorFields,
  address: z.string(),
  touchpoint: Named,
  campaign: Named,
  brand: Named,
  client: Named,
  /** By kind, then time; of the links those that were followed first, at most 20. */
  events: z.array(ContactEvent),
  /** Links that were followed. */
  links_count: z.number(),
});
export type ContactMessage = z.infer<typeof ContactMessage>;

export const maxNoteLength = 4_000;

const inOrganization = memberOperations('Contacts', 'organization_id');
const contactPath = z.strictObject({ organization_id: id, collection: collectionName, key: itemKey });

export const contacts = {
  timeline: inOrganization(
    'GET /content/{organization_id}/timeline/{collection}/{key}',
    'The messages that a contact was sent, the latest first, with what came back',
    'read Statistics',
    { additionalPermissions: ['read Content', 'read Touchpoint'] },
  )
    .input(
      contactPath.extend({
        /** `next` of the page before. */
        cursor: z
          .string()
          .max(120)
          .regex(/^[0-9T:.Z-]{20,30}_[0-9a-f-]{36}_\d{1,10}$/, 'This is not a cursor.')
          .optional(),
        client_id: id.optional(),
        brand_id: id.optional(),
        limit: z.coerce.number<number>().int().min(1).max(100).default(20),
      }),
    )
    .errors(backendFailed)
    .output(
      z.object({
        items: z.array(ContactMessage),
        /** Null on the last page. */
        next: z.string().nullable(),
        /** Whether the organization has more than 5,000 sends, or this contact more single messages: only the latest are looked through. */
        is_cut: z.boolean(),
      }),
    ),
  notes: inOrganization(
    'GET /content/{organization_id}/notes/{collection}/{key}',
    'Notes on a contact, the latest first',
    'read Consent',
    { additionalPermissions: ['read Content'] },
  )
    .input(contactPath)
    .errors(backendFailed)
    .output(z.object({ items: z.array(ContactNote) })),
  addNote: inOrganization(
    'POST /content/{organization_id}/notes/{collection}/{key}',
    'Add a note to a contact',
    'update Content',
    { additionalPermissions: ['read Consent'], manualTransaction: true },
  )
    .input(
      contactPath.extend({
        text: multiLine(maxNoteLength).refine((text) => text.trim() !== '', 'Write something.'),
      }),
    )
    .errors({ ...tooManyRecords, ...backendFailed })
    .output(ContactNote),
  deleteNote: inOrganization(
    'DELETE /content/{organization_id}/notes/{collection}/{key}/{id}',
    'Delete a note',
    'update Content',
    { additionalPermissions: ['read Consent'] },
  )
    .input(contactPath.extend({ id }))
    .output(z.object({ id })),
};
