import type { z } from 'zod';
import type {
  Address,
  AddressChanges,
  AddressInput,
  ContactPerson,
  ContactPersonChanges,
  ContactPersonInput,
  Social,
  SocialChanges,
  SocialInput,
} from '@reachout/contract/contact-details.ts';
import { maxRecords } from '@reachout/contract/operation.ts';
import { tooManyRecords } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { OperationContext } from '../access/operations.ts';
import { rejectUnknownChoice } from './unknown-choice.ts';
import {
  countRecords,
  deleteRecord,
  getRecord,
  softDeleteRecord,
  insertRecord,
  listRecords,
  lockOwner,
  restoreRecord,
  updateRecord,
  type OwnerOf,
  type RecordKind,
  type RecordOwner,
  type RestorableKind,
} from './records.queries.ts';

interface Shapes {
  address: {
    record: Address;
    input: z.output<typeof AddressInput>;
    changes: z.output<typeof AddressChanges>;
  };
  contact: {
    record: ContactPerson;
    input: z.output<typeof ContactPersonInput>;
    changes: z.output<typeof ContactPersonChanges>;
  };
  social: { record: Social; input: z.output<typeof SocialInput>; changes: z.output<typeof SocialChanges> };
}

/** Finds the owner of the records that an operation is about, from its input. */
type FindOwner<K extends RecordKind, I> = (
  trx: Transaction,
  input: I,
  context: OperationContext,
) => OwnerOf<K> | Promise<OwnerOf<K>>;

/**
 * Handlers of the operations on one kind of records, the same for all owners. They throw 404 for records that are
 * unknown, deleted or another owner's, 422 for a country or type that does not exist, and 409 `too_many_records` if
 * there would be more than a list shows.
 * @param recordKey  the input that identifies the record
 */
export function recordHandlers<K extends RecordKind, P extends string, I>(
  kind: K,
  recordKey: P,
  ownerOf: FindOwner<K, I>,
) {
  type Row = Shapes[K]['record'];
  const valuesOf = (input: object): Record<string, unknown> => {
    const { [recordKey]: _record, id: _owner, ...values } = input as Record<string, unknown>;
    return values;
  };
  return {
    list: async (trx: Transaction, input: I, context: OperationContext) => {
      const items = await listRecords<Row>(trx, kind, await ownerOf(trx, input, context));
      return { items, count: items.length };
    },
    create: async (trx: Transaction, input: I & Shapes[K]['input'], context: OperationContext) => {
      const owner = await ownerOf(trx, input, context);
      const id = newId();
      await requireCapacity(trx, kind, owner);
      await rejectUnknownChoice(() => insertRecord(trx, kind, owner, { ...valuesOf(input), id }));
      return await getRecord<Row>(trx, kind, owner, id);
    },
    update: async (
      trx: Transaction,
      input: I & Shapes[K]['changes'] & Record<P, string>,
      context: OperationContext,
    ) => {
      const owner = await ownerOf(trx, input, context);
      const id = input[recordKey];
      const changes = valuesOf(input);
      if (Object.keys(changes).length > 0)
        await rejectUnknownChoice(() => updateRecord(trx, kind, owner, id, changes));
      return await getRecord<Row>(trx, kind, owner, id);
    },
    /** Deletes permanently. */
    delete: async (trx: Transaction, input: I & Record<P, string>, context: OperationContext) => {
      const id = input[recordKey];
      await deleteRecord(trx, kind, await ownerOf(trx, input, context), id);
      return { id };
    },
  };
}

/** Like `recordHandlers`, for records that are hidden when deleted, and can be restored for a while. */
export const restorableHandlers = <K extends RestorableKind, P extends string, I>(
  kind: K,
  recordKey: P,
  ownerOf: FindOwner<K, I>,
) => ({
  ...recordHandlers(kind, recordKey, ownerOf),
  delete: async (trx: Transaction, input: I & Record<P, string>, context: OperationContext) => {
    const id = input[recordKey];
    await softDeleteRecord(trx, kind, await ownerOf(trx, input, context), id);
    return { id };
  },
  restore: async (trx: Transaction, input: I & Record<P, string>, context: OperationContext) => {
    const owner = await ownerOf(trx, input, context);
    const id = input[recordKey];
    if (await restoreRecord(trx, kind, owner, id)) await requireCapacity(trx, kind, owner, 0);
    return await getRecord<Shapes[K]['record']>(trx, kind, owner, id);
  },
});

/** @param more  number of records about to be added */
async function requireCapacity(
  trx: Transaction,
  kind: RecordKind,
  owner: RecordOwner,
  more = 1,
): Promise<void> {
  await lockOwner(trx, owner);
  if ((await countRecords(trx, kind, owner)) + more > maxRecords) throw tooManyRecords(maxRecords);
}
