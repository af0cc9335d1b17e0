import { sql } from 'kysely';
import type { NewRow, Row, Transaction } from '../../platform/database/database.ts';

export type DkimKey = Omit<Row<'dkim_keys'>, 'organization_id' | 'private_key'>;

/** What the checks of a domain read of a key. */
export type PublishedKey = Pick<DkimKey, 'selector' | 'public_key' | 'is_signing'>;

const selectDkimKeys = (trx: Transaction) =>
  trx
    .selectFrom('dkim_keys')
    .select(['selector', 'public_key', 'is_signing', 'signed_until', 'created_at'])
    .orderBy('selector');

export const listDkimKeys = (trx: Transaction): Promise<DkimKey[]> => selectDkimKeys(trx).execute();

/** The private key is sealed. */
export type SigningKey = Row<'dkim_keys', 'selector' | 'public_key' | 'private_key'>;

/** The key that signs now. */
export const getSigningKey = (trx: Transaction): Promise<SigningKey | undefined> =>
  trx
    .selectFrom('dkim_keys')
    .select(['selector', 'public_key', 'private_key'])
    .where('is_signing', '=', true)
    .executeTakeFirst();

/** Serializes rotations. */
export const lockDkimKeys = (trx: Transaction): Promise<DkimKey[]> =>
  selectDkimKeys(trx).forUpdate().execute();

/** Does nothing if the organization has keys: concurrent first domains share those of one. */
export async function insertDkimKeys(trx: Transaction, rows: readonly NewRow<'dkim_keys'>[]): Promise<void> {
  await trx
    .insertInto('dkim_keys')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['organization_id', 'selector']).doNothing())
    .execute();
}

/** Messages are signed with the other key from now on. */
export async function switchSigningKey(trx: Transaction, to: DkimKey['selector']): Promise<void> {
  await trx
    .updateTable('dkim_keys')
    .set({ is_signing: false, signed_until: sql<string>`now()` })
    .where('is_signing', '=', true)
    .execute();
  await trx
    .updateTable('dkim_keys')
    .set({ is_signing: true, signed_until: null })
    .where('selector', '=', to)
    .execute();
}

export async function replaceDkimKey(
  trx: Transaction,
  selector: DkimKey['selector'],
  key: { public_key: string; private_key: string },
): Promise<void> {
  await trx
    .updateTable('dkim_keys')
    .set({ ...key, signed_until: null, created_at: sql<string>`now()` })
    .where('selector', '=', selector)
    .execute();
}

/** Verified and failing domains whose last passed check of DKIM, with both keys, was not after this time; by name. */
export const listWithoutKey = (trx: Transaction, since: string): Promise<{ domain: string }[]> =>
  trx
    .selectFrom('sending_domains as d')
    .innerJoin('sending_domain_checks as c', (on) =>
      on
        .onRef('c.organization_id', '=', 'd.organization_id')
        .onRef('c.domain_id', '=', 'd.id')
        .on('c.kind', '=', 'dkim'),
    )
    .select('d.domain')
    .where('d.status', '<>', 'pending')
    .where(sql<boolean>`not (c.state = 'pass' and c.passed_at > ${since}::timestamptz)`)
    .orderBy('d.domain')
    .execute();
