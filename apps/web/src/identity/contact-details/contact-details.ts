import type { UseQueryResult } from '@tanstack/react-query';

/** The operations of a list of addresses, contact persons or links, for any owner. */
export interface ContactDetailsOperations<Values> {
  create: (values: Values) => Promise<unknown>;
  update: (input: Values & { id: string }) => Promise<unknown>;
  delete: (input: { id: string }) => Promise<unknown>;
  restore: (input: { id: string }) => Promise<unknown>;
}

/** The props that a page passes to a list of one kind. */
export interface ContactDetailsProps<Row, Operations> {
  query: UseQueryResult<{ items: Row[] }>;
  operations: Operations;
  /** Owner of the queries to refresh after a change: an organization's id, or `me`. */
  owner: string;
  /** Why nothing can be changed here; undefined if it can. */
  denialReason?: string | undefined;
  /** False if the role can never change it; then no controls are shown. */
  canEver?: boolean;
  /** The sentence below "No address yet" that explains their purpose here. */
  purpose: string;
}

/** The props that a list passes to its form. */
export interface DetailsFormProps<Row, Values> {
  /** The row to change; undefined to create one. */
  row: Row | undefined;
  submit: (values: Values) => Promise<unknown>;
  drawer: { opened: true; onClose: () => void; title: string; submitLabel: string };
}
