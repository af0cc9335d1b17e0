import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import type { FormTexts } from './sign-up-form.queries.ts';

export interface PastForm extends FormTexts {
  organization_id: string;
  id: string;
  brand_id: string;
  name: string;
  collection: string;
  created_by: string;
  created_at: Date;
}

export interface PastSignUp {
  id: string;
  address: string;
  address_key: string;
  source_page: string;
  ip_prefix: string;
  field_values: Record<string, string>;
  requested_at: Date;
  /** Null while it is not confirmed. */
  confirmed_at: Date | null;
  /** Of the contact that it made. */
  contact_id: string | null;
}

/** Inserts an active form with its first version and its sign-ups. */
export async function insertPastForm(
  trx: Transaction,
  form: PastForm,
  signUps: readonly PastSignUp[],
): Promise<void> {
  const { organization_id, id, brand_id, name, collection, created_by, created_at, fields, ...texts } = form;
  const at = created_at.toISOString();
  await trx
    .insertInto('sign_up_forms')
    .values({
      organization_id,
      id,
      brand_id,
      name,
      collection,
      is_active: true,
      confirmed_count: signUps.filter(({ confirmed_at }) => confirmed_at !== null).length,
      created_at: at,
      updated_at: at,
    })
    .execute();
  await trx
    .insertInto('sign_up_form_versions')
    .values({
      organization_id,
      form_id: id,
      version: 1,
      brand_id,
      form_name: name,
      fields: JSON.stringify(fields),
      ...texts,
      created_by,
      created_at: at,
    })
    .execute();
  await sql`
    insert into sign_ups (organization_id, id, form_id, version, brand_id, collection, address, address_key, field_values,
      topics, source_page, requested_at, requested_ip_prefix, confirmed_at, confirmed_ip_prefix, contact_id, contact_state)
    select ${organization_id}::uuid, id, ${id}::uuid, 1, ${brand_id}::uuid, ${collection}, address, address_key, field_values,
      '[]', source_page, requested_at, ip_prefix, confirmed_at, case when confirmed_at is not null then ip_prefix end, contact_id,
      case when confirmed_at is not null then 'written' end
    from json_to_recordset(${JSON.stringify(signUps)}::json) as s(id uuid, address text, address_key text, field_values jsonb,
      source_page text, ip_prefix text, requested_at timestamptz, confirmed_at timestamptz, contact_id text)
  `.execute(trx);
}
