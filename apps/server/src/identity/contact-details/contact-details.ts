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
} from './records.queries.ts';
import type { OwnerOf, RecordKind, RecordOwner, RestorableKind } from './records.ts';

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

/**
 * What the operations about addresses, contacts and links do, no matter whose they are. All run in the transaction of
 * the operation, and throw 404 for records that are unknown, deleted or somebody else's, 422 for a country or type that
 * there is not, and 409 `too_many_records` when there would be more than a list shows.
 */
function recordsOf<K extends RecordKind>(kind: K) {
  type Row = Shapes[K]['record'];
  type Owner = OwnerOf<K>;
  return {
    list: async (trx: Transaction, owner: Owner): Promise<{ items: Row[]; count: number }> => {
      const items = await listRecords<Row>(trx, kind, owner);
      return { items, count: items.length };
    },
    add: async (trx: Transaction, owner: Owner, input: Shapes[K]['input']): Promise<Row> => {
      const id = newId();
      await requireCapacity(trx, kind, owner);
      await rejectUnknownChoice(() => insertRecord(trx, kind, owner, { ...input, id }));
      return await getRecord<Row>(trx, kind, owner, id);
    },
    change: async (
      trx: Transaction,
      owner: Owner,
      id: string,
      changes: Shapes[K]['changes'],
    ): Promise<Row> => {
      if (Object.keys(changes).length > 0)
        await rejectUnknownChoice(() => updateRecord(trx, kind, owner, id, { ...changes }));
      return await getRecord<Row>(trx, kind, owner, id);
    },
  };
}

/** @param more how many are about to be added */
async function requireCapacity(
  trx: Transaction,
  kind: RecordKind,
  owner: RecordOwner,
  more = 1,
): Promise<void> {
  await lockOwner(trx, owner);
  if ((await countRecords(trx, kind, owner)) + more > maxRecords) throw tooManyRecords(maxRecords);
}

/** Deleted ones are hidden, and can be restored for a while. */
const restorableRecordsOf = <K extends RestorableKind>(kind: K) => ({
  ...recordsOf(kind),
  remove: async (trx: Transaction, owner: OwnerOf<K>, id: string): Promise<{ id: string }> => {
    await softDeleteRecord(trx, kind, owner, id);
    return { id };
  },
  restore: async (trx: Transaction, owner: OwnerOf<K>, id: string): Promise<Shapes[K]['record']> => {
    if (await restoreRecord(trx, kind, owner, id)) await requireCapacity(trx, kind, owner, 0);
    return await getRecord<Shapes[K]['record']>(trx, kind, owner, id);
  },
});

export const addresses = restorableRecordsOf('address');
export const contactPersons = restorableRecordsOf('contact');
export const socials = {
  ...recordsOf('social'),
  /** For good. */
  remove: async (trx: Transaction, owner: OwnerOf<'social'>, id: string): Promise<{ id: string }> => {
    await deleteRecord(trx, 'social', owner, id);
    return { id };
  },
};
