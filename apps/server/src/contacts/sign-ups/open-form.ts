import { isOpen } from '../../identity/organizations/is-open.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { findTopicsOf, type NamedTopic } from '../consent/contact-choices.queries.ts';
import { listCollectionFields, type CollectionField } from './sign-up-fields.ts';
import { findFormOf, findPublicForm, type PublicForm } from './sign-up-form.queries.ts';

export { findFormOf, type PublicForm };

export interface OpenForm {
  form: PublicForm;
  /** Of the collection. */
  fields: readonly CollectionField[];
  /** Those that it offers, without deleted ones. */
  topics: readonly NamedTopic[];
}

/**
 * @param version  of an earlier text, which a form on another website may still show
 * @returns undefined for an unknown or inactive form, a deleted brand or collection, and a suspended organization
 */
export async function openForm(
  trx: Transaction,
  organizationId: string,
  id: string,
  version?: number,
): Promise<OpenForm | undefined> {
  const form = await findPublicForm(trx, organizationId, id, version);
  if (form === undefined || !form.is_active || !(await isOpen(trx))) return undefined;
  const fields = await listCollectionFields(trx, organizationId, form.collection);
  if (fields === undefined) return undefined;
  const topics = await findTopicsOf(trx, { organizationId, brandId: form.brand_id }, form.topic_ids);
  return { form, fields, topics };
}
