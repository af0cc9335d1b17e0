import { sql } from 'kysely';
import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { notFound } from '../../../platform/http/api-error.ts';
import type { Transaction } from '../../../platform/database/database.ts';

export type EmailChanges = {
  [K in keyof Omit<TouchpointEmail, 'id' | 'touchpoint_id' | 'updated_at'>]?: TouchpointEmail[K] | undefined;
};

/** @throws 404 where the touchpoint is deleted, lies beneath something deleted, or is no email */
export const getTouchpointEmail = (trx: Transaction, touchpointId: string): Promise<TouchpointEmail> =>
  trx
    .selectFrom('touchpoint_emails as e')
    .innerJoin('current_touchpoints as t', (on) =>
      on.onRef('t.organization_id', '=', 'e.organization_id').onRef('t.id', '=', 'e.touchpoint_id'),
    )
    .where('e.touchpoint_id', '=', touchpointId)
    .select([
      'e.id',
      'e.touchpoint_id',
      'e.filter_id',
      'e.template_id',
      'e.subject',
      'e.preheader',
      'e.from_name',
      'e.from_email',
      'e.reply_to',
      'e.updated_at',
    ])
    .executeTakeFirstOrThrow(notFound);

/** What templates call `organization`. */
export const getOrganizationNames = (
  trx: Transaction,
  organizationId: string,
): Promise<{ id: string; name: string }> =>
  trx
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow(notFound);

export async function insertTouchpointEmail(
  trx: Transaction,
  row: { id: string; organization_id: string; touchpoint_id: string; from_name: string },
): Promise<void> {
  await trx.insertInto('touchpoint_emails').values(row).execute();
}

export async function updateTouchpointEmail(
  trx: Transaction,
  touchpointId: string,
  changes: EmailChanges,
): Promise<void> {
  await trx
    .updateTable('touchpoint_emails')
    .set({ ...changes, updated_at: sql`now()` })
    .where('touchpoint_id', '=', touchpointId)
    .execute();
}

/**
 * Holds the filter, which could otherwise be deleted for good before the email that names it is stored.
 * @returns false for one that is not there, or whose brand is deleted
 */
export async function holdFilter(trx: Transaction, id: string): Promise<boolean> {
  const filter = await trx
    .selectFrom('filters')
    .select('id')
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('brand_id', 'is', null),
        eb('brand_id', 'in', eb.selectFrom('current_brands').select('current_brands.id')),
      ]),
    )
    .forKeyShare()
    .executeTakeFirst();
  return filter !== undefined;
}
