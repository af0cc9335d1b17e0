import type { DB } from '../../platform/database/types.gen.ts';

// Where the rows of what is erased are. A table whose foreign key has `on delete cascade` needs no entry, unless it has so many rows
// that they are to go in batches before. scripts/check-erasure.ts fails for a column that names something that can be erased, if
// neither a foreign key nor one of these lists has it.

type Table = keyof DB;

/** The column by which rows name what they are erased with, apart from their organization. */
const columnOf = {
  send: 'send_id',
  /** The touchpoint of sends. */
  email: 'touchpoint_id',
  /** The touchpoint of visits. */
  website: 'touchpoint_id',
  goal: 'goal_id',
  collection: 'collection',
  import: 'import_id',
} as const;

export type ErasedKind = keyof typeof columnOf;

/** @returns the column by which rows of a table name what they are erased with */
export const columnIn = (table: Table, kind: ErasedKind): string =>
  // Counts of all kinds of subjects are one table.
  table === 'counts' && (kind === 'send' || kind === 'goal') ? 'subject_id' : columnOf[kind];

export const erasedColumns: readonly string[] = ['subject_id', ...Object.values(columnOf)];

interface ErasedTables {
  tables: readonly Table[];
  /** Their rows are also erased with their organization. */
  with: readonly ErasedKind[];
  /** Nothing may be folded meanwhile: a fold would miss rows, or add up those that it has read before. */
  blocksFolds?: boolean;
  /** Rows may be stored until what they name is deleted, and are deleted again in the transaction that deletes it. */
  comesLate?: boolean;
}

/** In the order of their deletion. Unfolded events come first: a fold would add them to the tables after them. */
export const erasedTables: readonly ErasedTables[] = [
  // Of the messages of a send, up to millions.
  {
    with: ['send'],
    tables: [
      'deliveries',
      'contact_deliveries',
      'delivery_exclusions',
      'delivery_chunks',
      'delivery_results',
      'delivery_result_totals',
      'delivery_queue',
      'messages',
      'touchpoint_send_contents',
      'mailbox_messages',
    ],
  },
  {
    with: ['send'],
    comesLate: true,
    tables: ['unfolded_message_events', 'click_reviews', 'delivery_event_counts', 'counts'],
  },
  // By the first columns of their key.
  { with: ['email'], comesLate: true, tables: ['events'] },
  {
    with: ['website'],
    blocksFolds: true,
    comesLate: true,
    tables: [
      'unfolded_visitor_events',
      'replaced_visitor_events',
      'visitor_events',
      'visitor_sessions',
      'visitor_value_months',
      'visitor_days',
      'counts',
      'website_drops',
      'website_use',
    ],
  },
  { with: ['email', 'website'], comesLate: true, tables: ['reactions'] },
  { with: ['collection'], comesLate: true, tables: ['contact_changes'] },
  { with: ['send', 'website', 'collection'], tables: ['visitor_contacts'] },
  { with: ['send', 'website'], comesLate: true, tables: ['followed_links'] },
  {
    with: ['website', 'goal'],
    blocksFolds: true,
    comesLate: true,
    tables: ['conversion_changes', 'counts'],
  },
  // After their counts, because a removed goal is found by them.
  { with: ['website', 'goal'], comesLate: true, tables: ['conversions'] },
  { with: ['import'], tables: ['content_import_rejections', 'content_import_parts'] },
  // Search texts after items, because the text of an existing item may be written again.
  {
    with: ['collection'],
    tables: [
      'content_imports',
      'contact_notes',
      'content_items',
      'content_unique_values',
      'content_search_texts',
      'content_search_queue',
    ],
  },
  { with: [], tables: ['choices', 'sign_ups'] },
  // They reference audience filters, which cannot be deleted before them.
  { with: [], tables: ['touchpoint_emails'] },
];

/** What names something that can be erased, and is erased by hand or outlives it. */
export const erasedByHand: readonly { columns: readonly `${Table}.${string}`[]; because: string }[] = [
  {
    because: 'They are what is erased. A deleted collection is found by its row, so that this one goes last.',
    columns: ['content_collections.collection', 'deleted_collections.collection'],
  },
  {
    because: 'They are erased with their touchpoint or email, which is below it.',
    columns: [
      'audience_readings.collection',
      'events.send_id',
      'messages.collection',
      'reactions.brand_id',
      'reactions.collection',
      'reactions.send_id',
      'touchpoint_schedules.brand_id',
      'touchpoint_sends.brand_id',
      'touchpoints.collection',
    ],
  },
  {
    because: 'A collection that they name is not deleted, or they say where something was to go.',
    columns: [
      'content_outbox.collection',
      'directus_collections.collection',
      'filters.collection',
      'sign_up_forms.collection',
      'sign_ups.collection',
      'touchpoint_events.collection',
    ],
  },
  {
    because: 'What persons have chosen or asked for outlives what led to it.',
    columns: [
      'choices.import_id',
      'choices.send_id',
      'data_requests.brand_id',
      'data_requests.send_id',
      'resubscriptions.send_id',
      'suppression_lifts.send_id',
    ],
  },
  {
    because:
      'Conversions stay without their message (releaseConversions), and without their visitor (erase-conversions.ts).',
    columns: ['conversions.send_id', 'conversions.visitor_id'],
  },
  {
    because:
      'Erased on request of the person (operations/data-requests/erase-person.ts), where results and requests stay without the address, and reactions go.',
    columns: [
      'choices.address_key',
      'data_requests.address_key',
      'deliveries.contact_id',
      'delivery_exclusions.contact_id',
      'messages.contact_id',
      'reactions.contact_id',
      'reactions.visitor_id',
      'resubscriptions.address_key',
      'sign_ups.address_key',
      'sign_ups.contact_id',
    ],
  },
  {
    because: 'A worker takes the row within seconds.',
    columns: ['contact_changes.contact_id'],
  },
  {
    because: 'Erased in the transaction that deletes the contact (contacts/people/erase-contact.ts).',
    columns: ['contact_notes.contact_id', 'visitor_contacts.contact_id'],
  },
  {
    because:
      'Visits are of a browser: they lose what tells of a deleted contact (events/erase-hints.ts), and are kept for the days of their organization (deleteOldVisits).',
    columns: [
      'followed_links.visitor_id',
      'unfolded_visitor_events.collection',
      'unfolded_visitor_events.user_id',
      'unfolded_visitor_events.visitor_id',
      'visitor_contacts.visitor_id',
      'visitor_events.collection',
      'visitor_events.user_id',
      'visitor_events.visitor_id',
      'visitor_sessions.visitor_id',
    ],
  },
  {
    because: 'Entries outlive the account, under an id that identifies nobody.',
    columns: ['audit_log.user_id'],
  },
];
