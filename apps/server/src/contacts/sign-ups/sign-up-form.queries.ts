import { sql, type RawBuilder } from 'kysely';
import type { SignUpField, SignUpForm, SignUpFormVersion } from '@reachout/contract/sign-up-forms.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { firstRowOf, rowsOf, type Transaction } from '../../platform/database/database.ts';
import { countRows } from '../../platform/database/list-page.ts';

/** What a version of a form fixes. */
export type FormTexts = Pick<
  SignUpForm,
  'fields' | 'topic_ids' | 'asks_tracking' | 'language' | 'title' | 'consent_text'
>;

/** A form without its address. */
export type FormRow = Omit<SignUpForm, 'url'>;

const texts = sql`v.fields, v.topic_ids, v.asks_tracking, v.language, v.title, v.consent_text`;

const selectForms = (
  condition: RawBuilder<unknown>,
  page: RawBuilder<unknown> = sql``,
): RawBuilder<FormRow> => sql`
  select f.id, f.organization_id, f.brand_id, f.name, f.collection, ${texts}, f.version, f.is_active, f.network_limit,
    (select count(*) from sign_ups s
      where s.organization_id = f.organization_id and s.form_id = f.id and s.confirmed_at is null) as unconfirmed_count,
    f.confirmed_count, unwritten.count as unwritten_count, unwritten.failed as failed_count,
    (select s.error_content from sign_ups s
      where s.organization_id = f.organization_id and s.form_id = f.id and s.contact_state in ('waiting', 'failed')
        and s.error_content is not null
      order by s.confirmed_at desc limit 1) as error_content,
    f.created_at, f.updated_at
  from sign_up_forms f
  join sign_up_form_versions v
    on v.organization_id = f.organization_id and v.form_id = f.id and v.version = f.version
  cross join lateral (
    select count(*) as count, count(*) filter (where s.contact_state = 'failed') as failed from sign_ups s
    where s.organization_id = f.organization_id and s.form_id = f.id and s.contact_state in ('waiting', 'failed')
      and (s.contact_state = 'failed' or s.error_content is not null)
  ) unwritten
  where ${condition} and f.brand_id in (select b.id from current_brands b)
  ${page}`;

export async function listForms(
  trx: Transaction,
  { brand_id, page, page_size }: { brand_id?: string | undefined; page: number; page_size: number },
): Promise<{ rows: FormRow[]; count: number }> {
  const matching = sql`f.organization_id = current_organization_id()
    and ${brand_id === undefined ? sql`true` : sql`f.brand_id = ${brand_id}`}`;
  const { rows } = await selectForms(
    matching,
    sql`order by lower(f.name), f.id limit ${page_size} offset ${page * page_size}`,
  ).execute(trx);
  const counted = await sql<{ count: number }>`
    select count(*) as count from sign_up_forms f where ${matching} and f.brand_id in (select b.id from current_brands b)
  `.execute(trx);
  return { rows, count: counted.rows[0]?.count ?? 0 };
}

/** @throws 404 */
export async function getForm(trx: Transaction, id: string): Promise<FormRow> {
  const { rows } = await selectForms(sql`f.id = ${id}`).execute(trx);
  if (rows[0] === undefined) throw notFound();
  return rows[0];
}

/** Finds a form of a brand; without an id the first, an active one before others. */
export const findFormOf = (trx: Transaction, brandId: string, id?: string) =>
  trx
    .selectFrom('sign_up_forms')
    .select('id')
    .where('brand_id', '=', brandId)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .orderBy('is_active', 'desc')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();

/** Locks a form until the transaction ends. @throws 404 */
export async function lockForm(trx: Transaction, id: string): Promise<void> {
  await trx
    .selectFrom('sign_up_forms')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
}

export const countFormsOf = (trx: Transaction, brandId: string): Promise<number> =>
  countRows(trx.selectFrom('sign_up_forms').where('brand_id', '=', brandId));

export async function insertForm(
  trx: Transaction,
  form: {
    organization_id: string;
    id: string;
    brand_id: string;
    name: string;
    collection: string;
    is_active: boolean;
    network_limit: number | null;
  },
): Promise<void> {
  await trx.insertInto('sign_up_forms').values(form).execute();
}

export async function insertVersion(
  trx: Transaction,
  form: { organization_id: string; id: string; brand_id: string; name: string; version: number },
  { fields, ...version }: FormTexts,
  createdBy: string,
): Promise<void> {
  await trx
    .insertInto('sign_up_form_versions')
    .values({
      organization_id: form.organization_id,
      form_id: form.id,
      version: form.version,
      brand_id: form.brand_id,
      form_name: form.name,
      fields: JSON.stringify(fields),
      ...version,
      created_by: createdBy,
    })
    .execute();
}

export async function updateForm(
  trx: Transaction,
  id: string,
  changes: { name: string; is_active: boolean; network_limit: number | null; version: number },
): Promise<void> {
  await trx
    .updateTable('sign_up_forms')
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

export async function deleteForm(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('sign_up_forms').where('id', '=', id).execute();
}

/** Lists versions, the newest first. */
export const listVersions = (trx: Transaction, formId: string, limit: number) => rowsOf<SignUpFormVersion>(
  trx,
)`
  select v.version, ${texts}, v.created_at,
    case when full_name_of(v.created_by) is not null
      then jsonb_build_object('id', v.created_by, 'full_name', full_name_of(v.created_by)) end as by
  from sign_up_form_versions v
  where v.form_id = ${formId}
  order by v.version desc
  limit ${limit}
`;

/** A form as its page shows it. */
export interface PublicForm extends FormTexts {
  id: string;
  brand_id: string;
  collection: string;
  name: string;
  version: number;
  is_active: boolean;
  network_limit: number | null;
  fields: SignUpField[];
}

/**
 * Finds a form of a brand that is not deleted.
 * @param version  of an earlier text, which a form on another website may still show; otherwise the newest one
 */
export const findPublicForm = (
  trx: Transaction,
  organizationId: string,
  id: string,
  version?: number,
) => firstRowOf<PublicForm>(trx)`
  select f.id, f.brand_id, f.collection, f.name, f.is_active, f.network_limit, v.version, ${texts}
  from sign_up_forms f
  join sign_up_form_versions v on v.organization_id = f.organization_id and v.form_id = f.id
    and v.version = case when ${version ?? null}::integer between 1 and f.version then ${version ?? null} else f.version end
  where f.organization_id = ${organizationId} and f.id = ${id}
    and f.brand_id in (select b.id from current_brands b)
`;

export async function countConfirmed(trx: Transaction, organizationId: string, id: string): Promise<void> {
  await trx
    .updateTable('sign_up_forms')
    .set({ confirmed_count: sql<number>`confirmed_count + 1` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}
