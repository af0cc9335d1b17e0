import type { ContactRules } from '../content/backend/contact-rules.ts';
import type { AddressHashes } from './consent/erased-addresses.ts';
import { keepOptOuts } from './consent/keep-opt-outs.ts';
import { eraseContact } from './people/erase-contact.ts';
import type { Field, FieldChanges } from '@reachout/contract/content-fields.ts';
import { apiError } from '../platform/http/api-error.ts';
import type { Transaction } from '../platform/database/database.ts';
import { parseAudience, type Audience, type AudienceInput } from './audiences/audience.ts';
import { listFiltersOfCollection } from './audiences/find-audience.queries.ts';
import { InvalidRule } from '../content/backend/invalid-rule.ts';
import { changeField, lockAndGetFields, removeField, withChanges } from '../content/built-in/change-field.ts';
import type { FieldKey } from '../content/built-in/fields.queries.ts';
import type { StoredField } from '../content/built-in/stored-field.ts';
import { isImporting } from './imports/imports.queries.ts';

/** @param secrets  find the addresses whose data was erased; undefined where none was erased, or its owner has just confirmed to want mail */
export const createContactRules = (secrets: AddressHashes | undefined): ContactRules => ({
  keepOptOuts: (trx, writer, before, after) => keepOptOuts(trx, { ...writer, secrets }, before, after),
  erase: eraseContact,
  updateField,
  deleteField,
});

// Checks for the rest of the platform, before the built-in backend changes the fields of a collection.

/** @throws 404; 409 `field_protected`, `field_in_use`, `import_in_progress`, and those of `changeField`; 422 */
async function updateField(trx: Transaction, key: FieldKey, changes: FieldChanges): Promise<Field> {
  const { fields, before } = await openField(trx, key);
  if (before !== undefined) {
    const after = withChanges(before, changes);
    if (!keepsMeaning(before, after)) throw apiError('field_protected');
    const isSameShape = before.type === after.type && before.unique === after.unique;
    if (!isSameShape) await denyInUse(trx, key, fields, after);
  }
  return await changeField(trx, key, changes);
}

/** @throws 404; 409 `field_protected`, `field_in_use`, `import_in_progress` */
async function deleteField(trx: Transaction, key: FieldKey): Promise<void> {
  const { fields, before } = await openField(trx, key);
  if (isOfContacts(key.field)) throw apiError('field_protected');
  if (before !== undefined) await denyInUse(trx, key, fields, undefined);
  await removeField(trx, key);
}

async function openField(trx: Transaction, key: FieldKey) {
  const fields = await lockAndGetFields(trx, key);
  if (await isImporting(trx, key.organizationId, key.collection)) throw apiError('import_in_progress');
  return { fields, before: fields.find(({ name }) => name === key.field) };
}

/** Fields that determine to whom the platform may send emails. */
const isOfContacts = (field: string): boolean => field === 'email' || field === 'unsubscribed';

/** Prevents field settings that would lose the address of a contact, or ignore an opt-out. */
const keepsMeaning = (before: StoredField, after: StoredField): boolean =>
  !isOfContacts(before.name) ||
  (before.type === after.type &&
    after.defaultValue === before.defaultValue &&
    (after.interface === null || after.interface === 'email') &&
    (after.unique || !before.unique) &&
    (after.required || !before.required));

/** Maximum audiences listed when they prevent the change of a field. */
const maxNamed = 10;

/**
 * Rejects a change that would break an audience: one that uses the field, or relies on its type or uniqueness.
 * @param after  undefined for a field that is deleted
 * @throws 409 `field_in_use`
 */
async function denyInUse(
  trx: Transaction,
  { collection, field }: FieldKey,
  fields: readonly StoredField[],
  after: StoredField | undefined,
): Promise<void> {
  const others = fields.filter(({ name }) => name !== field);
  const next = after === undefined ? others : [...others, after];
  const broken = (await listFiltersOfCollection(trx, collection)).filter((filter) => {
    const input = { ...filter, collection, brandId: null };
    const [now, then] = [findAudience(input, fields), findAudience(input, next)];
    return now !== undefined && (then === undefined || (now.emailIsUnique && !then.emailIsUnique));
  });
  if (broken.length === 0) return;
  throw apiError('field_in_use', {
    used_by: broken.slice(0, maxNamed).map(({ id, name }) => ({ kind: 'audience', id, name })),
    count: broken.length,
  });
}

/** @returns undefined for a rule or mapping that does not fit the fields */
function findAudience(input: AudienceInput, fields: readonly StoredField[]): Audience | undefined {
  try {
    return parseAudience(input, fields);
  } catch (error) {
    if (error instanceof InvalidRule) return undefined;
    throw error;
  }
}
