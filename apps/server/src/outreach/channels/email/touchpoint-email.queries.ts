import { sql, type RawBuilder } from 'kysely';
import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { notFound } from '../../../platform/http/api-error.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { prepared } from '../../../platform/database/prepared.ts';

/** An email without what reacts to it. */
export type EmailRow = Omit<TouchpointEmail, 'filters' | 'event_listeners'>;

export type EmailChanges = {
  [K in keyof Omit<EmailRow, 'id' | 'touchpoint_id' | 'filter' | 'updated_at'>]?: EmailRow[K] | undefined;
};

/** @throws 404 if the touchpoint or one of its parents is deleted, or it is not an email */
export const getTouchpointEmail = (trx: Transaction, touchpointId: string): Promise<EmailRow> =>
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
      sql<EmailRow['filter']>`(
        select json_build_object('id', f.id, 'name', f.name) from filters f
        where f.organization_id = e.organization_id and f.id = e.filter_id)`.as('filter'),
      'e.template_id',
      'e.mjml',
      'e.subject',
      'e.preheader',
      'e.from_name',
      'e.from_email',
      'e.reply_to',
      'e.item_id',
      'e.items_count',
      'e.topic_id',
      'e.updated_at',
    ])
    .$call(prepared)
    .executeTakeFirstOrThrow(notFound);

/** Lists who reacts to events of an email, and the events to which it reacts. */
export const listEmailListeners = (trx: Transaction, touchpointId: string) =>
  trx
    .selectFrom('event_listeners')
    .select([
      'id',
      'touchpoint_event_id',
      'event_type',
      'action',
      'notifier_touchpoint_id',
      'notifier_name',
      'listener_touchpoint_id',
      'listener_name',
    ])
    .where((eb) =>
      eb.or([
        eb('notifier_touchpoint_id', '=', touchpointId),
        eb('listener_touchpoint_id', '=', touchpointId),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .$call(prepared)
    .execute() as Promise<TouchpointEmail['event_listeners']>;

/** SQL condition on the `id` of a touchpoint: its email began from the template. */
export const beganFrom = (templateId: string): RawBuilder<boolean> =>
  sql`id in (select touchpoint_id from touchpoint_emails where template_id = ${templateId}::uuid)`;

/** SQL condition on a row of `touchpoint_overviews`: its email was changed after the time in a column. */
export const isWrittenAfter = (column: string): RawBuilder<boolean> =>
  sql`exists (
    select from touchpoint_emails e
    where e.organization_id = touchpoint_overviews.organization_id and e.touchpoint_id = touchpoint_overviews.id
      and e.updated_at > ${sql.ref(column)})`;

/** The `organization` of templates. */
export const getOrganizationNames = (trx: Transaction, organizationId: string) =>
  trx
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow(notFound);

export async function insertTouchpointEmail(
  trx: Transaction,
  row: Pick<EmailRow, 'id' | 'touchpoint_id' | 'from_name' | 'from_email' | 'reply_to'> & {
    organization_id: string;
  },
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
    // Not the start of the transaction: a confirmation may have been stored since, while this one waited for the touchpoint.
    .set({ ...changes, updated_at: sql`clock_timestamp()` })
    .where('touchpoint_id', '=', touchpointId)
    .execute();
}

/**
 * Locks the filter, so that it is not deleted permanently, or moved to another client, before the email that references
 * it is stored.
 * @returns the owner; undefined if the filter does not exist, or its client or brand is deleted
 */
export const lockFilterForUse = (trx: Transaction, id: string) =>
  trx
    .selectFrom('filters')
    .select(['name', 'client_id', 'brand_id'])
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('brand_id', 'is', null),
        eb('brand_id', 'in', eb.selectFrom('current_brands').select('current_brands.id')),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb('client_id', 'is', null),
        eb('client_id', 'in', eb.selectFrom('clients').select('clients.id').where('deleted', '=', false)),
      ]),
    )
    .forShare()
    .$call(prepared)
    .executeTakeFirst();

/** @returns undefined without an audience, or if it was deleted */
export async function findAudienceName(
  trx: Transaction,
  id: string | null,
): Promise<{ id: string; name: string } | undefined> {
  if (id === null) return undefined;
  return await trx
    .selectFrom('filters')
    .select(['id', 'name'])
    .where('id', '=', id)
    .$call(prepared)
    .executeTakeFirst();
}

/** Removes an audience filter from all emails. */
export async function releaseFilter(trx: Transaction, id: string): Promise<void> {
  await trx.updateTable('touchpoint_emails').set({ filter_id: null }).where('filter_id', '=', id).execute();
}

/** Removes the audience filters of a brand, or of a client and all its brands, from emails. */
export async function releaseFilters(
  trx: Transaction,
  organizationId: string,
  owner: { kind: 'brands' | 'clients'; id: string },
): Promise<void> {
  await trx
    .updateTable('touchpoint_emails')
    .set({ filter_id: null })
    .where('organization_id', '=', organizationId)
    .where('filter_id', 'in', (eb) =>
      eb
        .selectFrom('filters as f')
        .select('f.id')
        .where('f.organization_id', '=', organizationId)
        .where(owner.kind === 'brands' ? 'f.brand_id' : 'f.client_id', '=', owner.id),
    )
    .execute();
}
