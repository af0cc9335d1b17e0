import { maxRecords } from '@reachout/contract/operation.ts';
import { isUsableFor } from '@reachout/contract/rules/owners.ts';
import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidInput, tooManyRecords } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import { findCollectionUse } from '../../content/gateway/contact-collection.queries.ts';
import { rejectPlatformCollections } from '../../content/collections/item-input.ts';
import { findTopicsOf } from '../consent/contact-choices.queries.ts';
import { findContacts } from '../consent/find-contacts.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { findEndpoint } from '../../content/directus/connection.queries.ts';
import { readProof } from './proof-export.ts';
import { checkAskedFields, listCollectionFields } from './sign-up-fields.ts';
import {
  countFormsOf,
  deleteForm,
  getForm,
  insertForm,
  insertVersion,
  listForms,
  listVersions,
  lockForm,
  updateForm,
  type FormRow,
  type FormTexts,
} from './sign-up-form.queries.ts';
import { toRowToken } from '../../identity/access/row-tokens.ts';

/** Maximum versions in one response. */
const limit = 100;

/** @param publicUrl  without a trailing slash */
export function createSignUpFormRoutes(publicUrl: string, deps: DirectusDeps) {
  const toForm = (row: FormRow): SignUpForm => ({
    ...row,
    url: `${publicUrl}/f/${toRowToken({ organizationId: row.organization_id, id: row.id })}`,
  });

  return {
    list: inTransaction(operations.signUpForms.list, async (trx, input) => {
      const { rows, count } = await listForms(trx, input);
      return { items: rows.map(toForm), count };
    }),
    create: inTransaction(operations.signUpForms.create, async (trx, input, { organizationId, userId }) => {
      const { organization_id, brand_id, name, collection, is_active, network_limit, ...texts } = input;
      await requireUsable(trx, organizationId, rejectPlatformCollections(collection), brand_id);
      await checkTexts(trx, { organizationId, brandId: brand_id, collection }, texts);
      if ((await countFormsOf(trx, brand_id)) >= maxRecords) throw tooManyRecords(maxRecords);
      const form = { organization_id, id: newId(), brand_id, name };
      await insertForm(trx, { ...form, collection, is_active, network_limit });
      await insertVersion(trx, { ...form, version: 1 }, texts, userId);
      return toForm(await getForm(trx, form.id));
    }),
    get: inTransaction(operations.signUpForms.get, async (trx, { id }) => toForm(await getForm(trx, id))),
    update: inTransaction(operations.signUpForms.update, async (trx, { id, ...changes }, context) => {
      await lockForm(trx, id);
      const current = await getForm(trx, id);
      const { organizationId, userId } = context;
      const next = { ...current, ...definedOf(changes) };
      const texts = textsOf(next);
      const isNew = JSON.stringify(texts) !== JSON.stringify(textsOf(current));
      if (isNew)
        await checkTexts(
          trx,
          { organizationId, brandId: current.brand_id, collection: current.collection },
          texts,
        );
      const version = current.version + (isNew ? 1 : 0);
      const { name, is_active, network_limit } = next;
      await updateForm(trx, id, { name, is_active, network_limit, version });
      if (isNew) await insertVersion(trx, { ...next, version }, texts, userId);
      return toForm(await getForm(trx, id));
    }),
    delete: inTransaction(operations.signUpForms.delete, async (trx, { id }, context) => {
      await lockForm(trx, id);
      const { name } = await getForm(trx, id);
      await deleteForm(trx, id);
      context.note({ record_name: name });
      return { id };
    }),
    versions: inTransaction(operations.signUpForms.versions, async (trx, { id }) => {
      await getForm(trx, id);
      return { items: await listVersions(trx, id, limit) };
    }),
    proof: operations.signUpForms.proof.handler(async ({ input, context }) => {
      const { organizationId } = context;
      const { collection, key } = input;
      const contacts = await findContacts(deps, context, rejectPlatformCollections(collection), [key]);
      return await context.transaction(async (trx) => ({
        items: await readProof(trx, organizationId, contacts),
      }));
    }),
  };
}

/** @throws 422 on `collection` and `brand_id` */
async function requireUsable(
  trx: Transaction,
  organizationId: string,
  collection: string,
  brandId: string,
): Promise<void> {
  const endpoint = await findEndpoint(trx, organizationId);
  const { owner, brand, isVisible } = await findCollectionUse(trx, { collection, endpoint }, brandId);
  if (brand === undefined) throw invalidInput('brand_id', 'There is no such brand.');
  if (owner === undefined || !isVisible) throw invalidInput('collection', 'There is no such collection.');
  if (!isUsableFor(owner, brand))
    throw invalidInput('collection', 'The contacts of this collection belong to another client or brand.');
}

/** @throws 422 on `fields`, `topic_ids` and `collection` */
async function checkTexts(
  trx: Transaction,
  { organizationId, brandId, collection }: { organizationId: string; brandId: string; collection: string },
  { fields, topic_ids }: FormTexts,
): Promise<void> {
  const known = await listCollectionFields(trx, organizationId, collection);
  if (known === undefined) throw invalidInput('collection', 'There is no such collection.');
  checkAskedFields(known, fields);
  const topics = await findTopicsOf(trx, { organizationId, brandId }, topic_ids);
  if (topics.length < topic_ids.length) throw invalidInput('topic_ids', 'The brand has no such topic.');
}

const textsOf = ({
  fields,
  topic_ids,
  asks_tracking,
  language,
  title,
  consent_text,
}: FormTexts): FormTexts => ({
  fields: fields.map(({ name, label, is_required }) => ({ name, label, is_required })),
  topic_ids,
  asks_tracking,
  language,
  title,
  consent_text,
});

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The given changes, without undefined keys. */
const definedOf = <T extends object>(changes: T): Defined<T> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Defined<T>;
