import type { Field, FieldChanges } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { FieldKey } from '../built-in/fields.queries.ts';
import type { JsonValue } from './field-values.ts';

/** The user who writes an item, null for jobs, and its collection. */
export interface ItemWriter {
  organizationId: string;
  userId: string | null;
  collection: string;
}

/** What the layer of contacts, which stands above content, adds to changes of items and fields of any collection. */
export interface ContactRules {
  /**
   * Preserves the opt-outs of a contact that is created or changed.
   * @param before  undefined for a new contact
   * @returns the data to store
   * @throws 422 `validation_failed` if the change would clear `unsubscribed`
   */
  keepOptOuts: (
    trx: Transaction,
    writer: ItemWriter,
    before: Item | undefined,
    after: Record<string, JsonValue>,
  ) => Promise<Record<string, JsonValue>>;
  /** Deletes what the platform stores about an item, in the transaction that deletes it. */
  erase: (
    trx: Transaction,
    item: { organizationId: string; collection: string; key: string },
  ) => Promise<void>;
  /** @throws 404; 409 `field_protected`, `field_in_use`, `import_in_progress`, and those of the built-in backend; 422 */
  updateField: (trx: Transaction, key: FieldKey, changes: FieldChanges) => Promise<Field>;
  /** @throws 404; 409 `field_protected`, `field_in_use`, `import_in_progress` */
  deleteField: (trx: Transaction, key: FieldKey) => Promise<void>;
}
