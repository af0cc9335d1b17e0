import { contactFields as fieldsOfContacts } from '@reachout/contract/rules/starting-collections.ts';
import { templateTypes } from '@reachout/contract/templates.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { insertCollections, type NewCollection, type NewField } from './collections.queries.ts';

/**
 * Creates the collections that every organization starts with: contacts and newsletters for users, and hidden ones
 * for the platform.
 */
export const createStartingCollections = (trx: Transaction, organizationId: string): Promise<void> =>
  insertCollections(trx, organizationId, startingCollections);

const text = (name: string, more: Partial<NewField> = {}): NewField => ({ name, type: 'string', ...more });
const schedule: NewField[] = [{ name: 'scheduled_date', type: 'timestamp' }, text('scheduled_date_tz')];

const contactFields = fieldsOfContacts.map(
  ({ field: name, default_value: defaultValue, ...settings }): NewField => ({
    name,
    ...settings,
    ...(defaultValue !== undefined && { defaultValue }),
  }),
);

/** Creates an additional collection of contacts. */
export const createContacts = (
  trx: Transaction,
  organizationId: string,
  collection: Omit<NewCollection, 'hidden' | 'fields'>,
): Promise<void> =>
  insertCollections(trx, organizationId, [{ ...collection, hidden: false, fields: contactFields }]);

const startingCollections: readonly NewCollection[] = [
  {
    collection: 'contacts',
    hidden: false,
    fields: contactFields,
  },
  {
    collection: 'newsletters',
    hidden: false,
    fields: [
      text('title', { required: true }),
      text('subject'),
      text('teaser'),
      { name: 'content', type: 'text' },
      text('image_url'),
      text('link_url'),
      { name: 'publish_date', type: 'date' },
    ],
  },
  { collection: 'reachout_clients', hidden: true, fields: [text('name')] },
  { collection: 'reachout_brands', hidden: true, fields: [text('name'), { name: 'client', type: 'uuid' }] },
  {
    collection: 'reachout_campaigns',
    hidden: true,
    fields: [text('name'), text('status'), ...schedule, { name: 'brand', type: 'uuid' }],
  },
  {
    collection: 'reachout_touchpoints',
    hidden: true,
    fields: [
      text('name'),
      text('type'),
      text('status'),
      text('collection'),
      ...schedule,
      { name: 'campaign', type: 'uuid' },
    ],
  },
  {
    collection: 'reachout_templates',
    hidden: true,
    fields: [
      text('title', { required: true }),
      text('name', { required: true, unique: true }),
      text('template_type', {
        required: true,
        defaultValue: 'email',
        interface: 'select',
        choices: [...templateTypes],
      }),
      { name: 'mjml', type: 'text' },
      { name: 'preview', type: 'text' },
      { name: 'client', type: 'uuid' },
      { name: 'brand', type: 'uuid' },
    ],
  },
];
