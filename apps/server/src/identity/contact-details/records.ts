/** Owner of addresses, contacts and links. */
export type RecordOwner =
  | { kind: 'user'; user_id: string }
  | { kind: 'organization'; organization_id: string }
  | { kind: 'client'; organization_id: string; client_id: string };

/**
 * All contact-details tables. Deleted addresses and contacts are hidden and can be restored; links are deleted
 * permanently.
 */
export const recordTables = {
  address: { user: 'user_addresses', organization: 'organization_addresses', client: 'client_addresses' },
  contact: { organization: 'organization_contacts', client: 'client_contacts' },
  social: { user: 'user_socials', client: 'client_socials' },
} as const;

export type RecordKind = keyof typeof recordTables;
export type RestorableKind = Exclude<RecordKind, 'social'>;

export type OwnerOf<K extends RecordKind> = Extract<RecordOwner, { kind: keyof (typeof recordTables)[K] }>;

/** The columns that users fill in. */
export const recordColumns = {
  address: ['line1', 'line2', 'postal_code', 'city', 'region', 'country_id'],
  contact: ['contact_type_id', 'full_name', 'email', 'phone'],
  social: ['network', 'url'],
} as const satisfies Record<RecordKind, readonly string[]>;
