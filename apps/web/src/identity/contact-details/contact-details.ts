import type { UseQueryResult } from '@tanstack/react-query';

/** The operations behind a list of addresses, contacts or links, no matter who they belong to. */
export interface ContactDetailsOperations<Values> {
  create: (values: Values) => Promise<unknown>;
  update: (input: Values & { id: string }) => Promise<unknown>;
  delete: (input: { id: string }) => Promise<unknown>;
  restore: (input: { id: string }) => Promise<unknown>;
}

/** What a list of one kind is given by the page it stands on. */
export interface ContactDetailsProps<Row, Operations> {
  query: UseQueryResult<{ items: Row[] }>;
  operations: Operations;
  /** What a change makes out of date: an organization's id, or `me`. */
  owner: string;
  /** Why nothing can be changed here; undefined when it can. */
  denialReason?: string | undefined;
  /** False where the role can never change it: then nothing offers to. */
  canEver?: boolean;
  /** The sentence under "No address yet": what they are for here. */
  purpose: string;
}

/** What the form of one kind is given by the list. */
export interface DetailsFormProps<Row, Values> {
  /** The one to change; undefined makes a new one. */
  row: Row | undefined;
  submit: (values: Values) => Promise<unknown>;
  drawer: { opened: true; onClose: () => void; title: string; submitLabel: string };
}
