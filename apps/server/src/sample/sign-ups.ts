import type { Database, Row } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { insertRow, insertRows, type Given } from './rows.ts';

type SampleForm = Pick<Row<'sign_up_forms'>, 'organization_id' | 'brand_id' | 'collection' | 'name'> &
  Given<'sign_up_forms'> & {
    content: Pick<Row<'sign_up_form_versions'>, 'title' | 'consent_text'> & Given<'sign_up_form_versions'>;
  };

type SampleSignUp = Pick<Row<'sign_ups'>, 'address'> & Given<'sign_ups'>;

/** Stores an active form in its first version, with what was entered in it. @returns its id */
export async function buildSignUpForm(
  db: Database,
  { content, ...form }: SampleForm,
  signUps: readonly SampleSignUp[],
): Promise<string> {
  const { id, organization_id, brand_id, collection, name, created_at } = await insertRow(
    db,
    'sign_up_forms',
    {
      id: newId(),
      is_active: true,
      confirmed_count: signUps.filter(({ confirmed_at }) => typeof confirmed_at === 'string').length,
      ...form,
    },
  );
  const of = { organization_id, brand_id, form_id: id, version: 1 };
  await insertRows(db, 'sign_up_form_versions', {
    form_name: name,
    fields: JSON.stringify([]),
    topic_ids: [],
    asks_tracking: false,
    language: 'en',
    created_at,
    ...content,
    ...of,
  });
  await insertRows(
    db,
    'sign_ups',
    signUps.map((signUp) => ({
      id: newId(),
      collection,
      address_key: signUp.address,
      field_values: JSON.stringify({}),
      topics: JSON.stringify([]),
      contact_state: typeof signUp.confirmed_at === 'string' ? 'written' : null,
      ...signUp,
      ...of,
    })),
  );
  return id;
}
