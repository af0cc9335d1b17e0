import { beginImport } from './upsert-items.queries.ts';
import {
  interfaceTypes,
  maxFields,
  type Field,
  type FieldChanges,
  type FieldInput,
} from '@reachout/contract/content-fields.ts';
import { apiError, invalidInput, notFound, tooManyRecords } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isJobOpen } from '../../platform/jobs/enqueue-job.ts';
import { systemFields } from '../backend/filter-rule.ts';
import { findFields, insertFields } from './collections.queries.ts';
import { convertValue } from './convert-value.ts';
import { fieldRemovalJobs, keyOfRemoval, removeValues } from './field-removal-jobs.ts';
import {
  countMissing,
  countValues,
  deleteClaims,
  deleteField,
  insertClaims,
  lockFields,
  streamValues,
  updateField,
  updateValues,
  type CollectionKey,
  type FieldKey,
} from './fields.queries.ts';
import { checkField, describeField, uniqueValueOf, type StoredField } from './stored-field.ts';

/** Limited because a change reads, and may write, every value of its field in one transaction. */
export const maxChangedValues = 100_000;

/** Locks the fields of a collection against changes until the transaction ends. @throws 404 */
export async function lockAndGetFields(trx: Transaction, key: CollectionKey): Promise<StoredField[]> {
  await lockFields(trx, key, 'change fields');
  return await getFields(trx, key);
}

async function getFields(trx: Transaction, { organizationId, collection }: CollectionKey) {
  const fields = await findFields(trx, organizationId, collection);
  if (fields === undefined) throw notFound();
  return fields;
}

/**
 * Adds a field. Existing items have no value in it, so a required field can only be added to an empty collection.
 * @throws 404; 409 `name_taken`, `values_do_not_fit`, `too_many_records`; 422
 */
export async function createField(trx: Transaction, key: CollectionKey, input: FieldInput): Promise<Field> {
  const fields = await lockAndGetFields(trx, key);
  if (fields.length >= maxFields) throw tooManyRecords(maxFields);
  const field = toStoredField(input);
  const isTaken = [...fields, ...systemFields].some(({ name }) => name === field.name);
  // The values of a deleted field are removed in the background; until then its name is taken.
  const isLeaving = await isJobOpen(trx, fieldRemovalJobs, {
    organizationId: key.organizationId,
    key: keyOfRemoval({ ...key, field: field.name }),
  });
  if (isTaken || isLeaving) throw apiError('name_taken');
  checkSettings(field);
  if (field.required) await denyMissing(trx, { ...key, field: field.name });
  await insertFields(trx, key, [field]);
  return describeField(key.collection, field);
}

/** Converts the input to a field as it is stored; also used for the fields of a new collection. */
export function toStoredField({ field, default_value, ...settings }: FieldInput): StoredField {
  return { ...settings, name: field, readonly: false, defaultValue: default_value };
}

/**
 * Changes a field and converts the values of stored items to the new type. If one does not fit, nothing changes.
 * @throws 404; 409 `values_do_not_fit` with the number of such values, `too_many_values`; 422
 */
export async function changeField(trx: Transaction, key: FieldKey, changes: FieldChanges): Promise<Field> {
  const fields = await lockAndGetFields(trx, key);
  const before = fields.find(({ name }) => name === key.field);
  if (before === undefined) throw notFound();
  const after = withChanges(before, changes);
  checkSettings(after);
  await fitValues(trx, key, before, after);
  await updateField(trx, key, after);
  return describeField(key.collection, after);
}

/** @returns the field after its changes; choices that `changes` does not set are dropped if the interface is not `select` */
export function withChanges(before: StoredField, changes: FieldChanges): StoredField {
  const { default_value, ...others } = changes;
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  const after: StoredField = {
    ...before,
    ...given,
    ...(default_value === undefined ? {} : { defaultValue: default_value }),
  };
  return after.interface === 'select' || changes.choices !== undefined ? after : { ...after, choices: null };
}

/** Deletes a field; its values are removed from the items in the background. @throws 404 */
export async function removeField(trx: Transaction, key: FieldKey): Promise<void> {
  const fields = await lockAndGetFields(trx, key);
  if (!fields.some(({ name }) => name === key.field)) throw notFound();
  await deleteField(trx, key);
  await removeValues(trx, key);
}

const neverUnique: readonly string[] = ['boolean', 'json', 'csv'];

/** @throws 422 for settings that are incompatible */
export function checkSettings(field: StoredField): void {
  const { type, interface: name, choices, unique, defaultValue } = field;
  if (name !== null && !interfaceTypes[name].includes(type))
    throw invalidInput('interface', `This takes a field of the type ${interfaceTypes[name].join(' or ')}.`);
  if (name === 'select' && choices === null) throw invalidInput('choices', 'Enter at least one value.');
  if (name !== 'select' && choices !== null)
    throw invalidInput('choices', 'Only a field with the interface select has values to choose from.');
  if (unique && neverUnique.includes(type))
    throw invalidInput('unique', 'Values of this type can’t be unique.');
  if (unique && defaultValue !== null)
    throw invalidInput(
      'default_value',
      'A unique field has no default: two items would have the same value.',
    );
  const checked = checkField({ ...field, required: false }, defaultValue);
  if ('reason' in checked) throw invalidInput('default_value', checked.reason);
  // The platform treats any field named `email` or `unsubscribed` as that of a contact.
  if (field.name === 'email' && type !== 'string' && type !== 'text')
    throw invalidInput('type', 'The field email is the address of a contact: its type is string.');
  if (field.name === 'unsubscribed' && type !== 'boolean')
    throw invalidInput(
      'type',
      'The field unsubscribed says whether a contact gets no mail: its type is boolean.',
    );
}

/** Converts the values of stored items, and claims or releases unique values. @throws 409 */
async function fitValues(
  trx: Transaction,
  key: FieldKey,
  before: StoredField,
  after: StoredField,
): Promise<void> {
  const isNarrowed = changesValues(before, after);
  const claimsAgain = after.unique && (isNarrowed || !before.unique);
  if (before.unique && (isNarrowed || !after.unique)) await releaseAll(trx, key);
  if (isNarrowed || claimsAgain) {
    if ((await countValues(trx, key, maxChangedValues + 1)) > maxChangedValues)
      throw apiError('too_many_values', { limit: maxChangedValues });
    await beginImport(trx);
    let misfits = 0;
    let clashes = 0;
    for await (const values of streamValues(trx, key)) {
      const checked = values.map(({ id, value }) => ({ id, value, ...fit(after, value) }));
      misfits += checked.filter((each) => 'reason' in each).length;
      const fitting = checked.flatMap((each) => ('fitted' in each ? [each] : []));
      const different = fitting.filter(
        ({ value, fitted }) => JSON.stringify(value) !== JSON.stringify(fitted),
      );
      await updateValues(
        trx,
        key,
        different.map(({ id, fitted }) => ({ id, value: fitted })),
      );
      if (!claimsAgain) continue;
      const claims = fitting
        .filter(({ fitted }) => fitted !== null && fitted !== '')
        .map(({ id, fitted }) => ({ id, value: uniqueValueOf(fitted) }));
      clashes += claims.length - (await insertClaims(trx, key, claims));
    }
    if (misfits > 0) throw apiError('values_do_not_fit', { problem: 'type', count: misfits });
    if (clashes > 0) throw apiError('values_do_not_fit', { problem: 'duplicate', count: clashes });
  }
  if (after.required && (isNarrowed || !before.required)) await denyMissing(trx, key);
}

/** Whether the change can make a valid value invalid, or require its conversion. */
function changesValues(before: StoredField, after: StoredField): boolean {
  if (before.type !== after.type) return true;
  if (after.unique && !before.unique) return true;
  if (after.interface === null) return false;
  const kept = new Set(after.choices);
  return before.interface !== after.interface || (before.choices ?? []).some((choice) => !kept.has(choice));
}

function fit(field: StoredField, value: Parameters<typeof convertValue>[1]) {
  const converted = convertValue(field.type, value);
  const checked = checkField({ ...field, required: false }, converted);
  return 'reason' in checked ? checked : { fitted: checked.value };
}

async function denyMissing(trx: Transaction, key: FieldKey): Promise<void> {
  const count = await countMissing(trx, key);
  if (count > 0) throw apiError('values_do_not_fit', { problem: 'missing', count });
}

const claimsAtOnce = 10_000;

async function releaseAll(trx: Transaction, key: FieldKey): Promise<void> {
  while ((await deleteClaims(trx, key, claimsAtOnce)) === claimsAtOnce);
}
