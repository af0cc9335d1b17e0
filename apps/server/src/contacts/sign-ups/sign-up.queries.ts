import { sql, type RawBuilder } from 'kysely';
import type { SignUp, SignUpField } from '@reachout/contract/sign-up-forms.ts';
import type { SignUpContactState } from '@reachout/contract/states/sign-up.ts';
import {
  execute,
  firstRowOf,
  type NewRow,
  type Row,
  type Transaction,
} from '../../platform/database/database.ts';
import type { JsonValue } from '../../content/backend/field-values.ts';

type Prefix = 'requested_ip_prefix' | 'confirmed_ip_prefix';
type Json = 'field_values' | 'topics';
type NewSignUp = Omit<NewRow<'sign_ups'>, Json> & Pick<StoredSignUp, Json>;

export async function insertSignUp(
  trx: Transaction,
  { field_values, topics, ...columns }: NewSignUp,
): Promise<void> {
  const texts = { field_values: JSON.stringify(field_values), topics: JSON.stringify(topics) };
  await trx
    .insertInto('sign_ups')
    .values({ ...columns, ...texts })
    .execute();
}

/** A sign-up with the text of its form. */
export type StoredSignUp = Omit<
  Row<'sign_ups'>,
  'organization_id' | 'source_page' | 'error_content' | Prefix | Json
> &
  Row<'sign_up_form_versions', 'topic_ids' | 'language' | 'title' | 'consent_text'> & {
    form_name: string;
    brand_name: string;
    field_values: Record<string, JsonValue>;
    topics: { id: string; name: string }[];
    fields: SignUpField[];
  };

/**
 * Finds a sign-up that can be confirmed or is: its form was not deleted, and it is at most 30 days old.
 * @param lock  held until the transaction ends, also on the other sign-ups of the address: two confirmations of one person run
 *   one after another
 */
export async function findSignUp(
  trx: Transaction,
  organizationId: string,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<StoredSignUp | undefined> {
  if (lock)
    await sql`
      select from sign_ups
      where organization_id = ${organizationId} and address_key =
        (select s.address_key from sign_ups s where s.organization_id = ${organizationId} and s.id = ${id})
      order by id
      for update
    `.execute(trx);
  return await firstRowOf<StoredSignUp>(trx)`
    select s.id, s.form_id, f.name as form_name, s.version, s.brand_id, b.name as brand_name, s.collection, s.address,
      s.address_key, s.field_values, s.topics, s.tracking_consent, s.requested_at, s.confirmed_at, s.contact_id, s.contact_state,
      v.topic_ids, v.fields, v.language, v.title, v.consent_text
    from sign_ups s
    join sign_up_forms f on f.organization_id = s.organization_id and f.id = s.form_id
    join sign_up_form_versions v on v.organization_id = s.organization_id and v.form_id = s.form_id and v.version = s.version
    join current_brands b on b.organization_id = s.organization_id and b.id = s.brand_id
    where s.organization_id = ${organizationId} and s.id = ${id}
      and (s.confirmed_at is not null or s.requested_at > now() - interval '30 days')
  `;
}

export async function storeConfirmation(
  trx: Transaction,
  organizationId: string,
  id: string,
  ipPrefix: string | null,
): Promise<void> {
  await trx
    .updateTable('sign_ups')
    .set({ confirmed_at: sql<string>`now()`, confirmed_ip_prefix: ipPrefix, contact_state: 'waiting' })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Stores whether the content backend has the contact. */
export async function storeContactState(
  trx: Transaction,
  organizationId: string,
  id: string,
  result: {
    contact_state: SignUpContactState;
    contact_id?: string;
    error_content?: string | null;
  },
): Promise<void> {
  await trx
    .updateTable('sign_ups')
    .set(result)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Lists the sign-ups of an address, the newest first. */
export const listSignUps = async (
  trx: Transaction,
  of: { organizationId: string; addressKey: string },
  limit: number,
): Promise<SignUp[]> => (await selectSignUps(of, limit).execute(trx)).rows;

export const selectSignUps = (
  { organizationId, addressKey }: { organizationId: string; addressKey: string },
  limit: number,
): RawBuilder<SignUp> => sql`
    select s.id, s.form_id, f.name as form_name, jsonb_build_object('id', b.id, 'name', b.name) as brand, s.address,
      s.version, v.title, v.consent_text, v.language, s.field_values, s.topics, s.tracking_consent, s.source_page,
      s.requested_at, s.requested_ip_prefix, s.confirmed_at, s.confirmed_ip_prefix
    from sign_ups s
    join sign_up_form_versions v on v.organization_id = s.organization_id and v.form_id = s.form_id and v.version = s.version
    join current_brands b on b.organization_id = s.organization_id and b.id = s.brand_id
    left join sign_up_forms f on f.organization_id = s.organization_id and f.id = s.form_id
    where s.organization_id = ${organizationId} and s.address_key = ${addressKey}
    order by s.requested_at desc, s.id desc
    limit ${limit}`;

export async function deleteSignUps(
  trx: Transaction,
  organizationId: string,
  addressKey: string,
): Promise<void> {
  await trx
    .deleteFrom('sign_ups')
    .where('organization_id', '=', organizationId)
    .where('address_key', '=', addressKey)
    .execute();
}

/** What fails from here on can be undone without the rest of the transaction. */
export const setSavepoint = (trx: Transaction) => execute(trx)`savepoint before_contact`;

export const rollbackToSavepoint = (trx: Transaction) => execute(trx)`rollback to savepoint before_contact`;
