import type { MirroredCollection } from '@reachout/contract/rules/mirrored-collections.ts';

/** Collections in which Directus holds copies of platform records, with their fields besides id and timestamps. */
const platformCollections = {
  reachout_clients: [{ field: 'name', type: 'string' }],
  reachout_brands: [
    { field: 'name', type: 'string' },
    { field: 'client', type: 'uuid', references: 'reachout_clients' },
  ],
  reachout_campaigns: [
    { field: 'name', type: 'string' },
    { field: 'status', type: 'string' },
    { field: 'scheduled_date', type: 'timestamp' },
    { field: 'scheduled_date_tz', type: 'string' },
    { field: 'brand', type: 'uuid', references: 'reachout_brands' },
  ],
  reachout_touchpoints: [
    { field: 'name', type: 'string' },
    { field: 'type', type: 'string' },
    { field: 'status', type: 'string' },
    { field: 'collection', type: 'string' },
    { field: 'scheduled_date', type: 'timestamp' },
    { field: 'scheduled_date_tz', type: 'string' },
    { field: 'campaign', type: 'uuid', references: 'reachout_campaigns' },
  ],
  reachout_templates: [
    { field: 'title', type: 'string', isFilled: true },
    { field: 'name', type: 'string', isFilled: true, isUnique: true },
    { field: 'preview', type: 'text' },
    { field: 'template_type', type: 'string' },
  ],
} as const satisfies Record<MirroredCollection, readonly PlatformField[]>;

interface PlatformField {
  field: string;
  type: 'string' | 'text' | 'uuid' | 'timestamp';
  /** The collection that the field references. */
  references?: string;
  isFilled?: boolean;
  isUnique?: boolean;
}

export const fieldsOf = (collection: MirroredCollection): readonly PlatformField[] =>
  platformCollections[collection];

/** The request body with which Directus creates a field. */
export const toDirectusField = ({ field, type, isFilled = false, isUnique = false }: PlatformField) => ({
  field,
  type,
  schema: { is_nullable: !isFilled, is_unique: isUnique },
  meta: {},
});

/** Columns of every platform item. */
export const stampFields = [
  {
    field: 'id',
    type: 'uuid',
    schema: { is_primary_key: true },
    meta: { special: ['uuid'], hidden: true, readonly: true },
  },
  {
    field: 'date_created',
    type: 'timestamp',
    schema: {},
    meta: { special: ['date-created'], readonly: true },
  },
  {
    field: 'date_updated',
    type: 'timestamp',
    schema: {},
    meta: { special: ['date-updated'], readonly: true },
  },
];
