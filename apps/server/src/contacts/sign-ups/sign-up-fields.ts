import type { Field } from '@reachout/contract/content-fields.ts';
import { readOptOut } from '@reachout/contract/rules/consent-column.ts';
import {
  canBeAsked,
  signUpFieldInput,
  signUpInputs,
  signUpMaxLength,
} from '@reachout/contract/rules/sign-up-inputs.ts';
import { takeUnreadable } from '@reachout/contract/rules/unreadable-values.ts';
import type { SignUpField } from '@reachout/contract/sign-up-forms.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import { checkValue, isStorable, type JsonValue } from '../../content/backend/field-values.ts';
import { findFields } from '../../content/built-in/collections.queries.ts';
import { checkInterface } from '../../content/built-in/stored-field.ts';
import { findEndpoint } from '../../content/directus/connection.queries.ts';
import { findRemoteCollection } from '../../content/gateway/contact-collection.queries.ts';

/** A field of a collection in any content backend. */
export type CollectionField = Pick<
  Field,
  'field' | 'type' | 'interface' | 'choices' | 'required' | 'unique' | 'hidden' | 'readonly'
> & { hasDefault: boolean };

/** Lists the fields of a collection, also outside the access scope; undefined if there is no such collection. */
export async function listCollectionFields(
  trx: Transaction,
  organizationId: string,
  collection: string,
): Promise<CollectionField[] | undefined> {
  if ((await findEndpoint(trx, organizationId)) === null)
    return (await findFields(trx, organizationId, collection))?.map(({ name, defaultValue, ...field }) => ({
      ...field,
      field: name,
      hasDefault: defaultValue !== null,
    }));
  const seen = await findRemoteCollection(trx, collection);
  return seen?.fields.map((field) => ({ ...field, hasDefault: field.default_value !== null }));
}

/**
 * Checks what a form asks for against its collection.
 * @throws 422 on `collection` and `fields`
 */
export function checkAskedFields(known: readonly CollectionField[], asked: readonly SignUpField[]): void {
  if (!known.some(({ field, type }) => field === 'email' && type === 'string'))
    throw invalidInput(
      'collection',
      'The items of this collection are no contacts: it has no field “email”.',
    );
  for (const [index, { name }] of asked.entries()) {
    const field = known.find((other) => other.field === name);
    if (field === undefined) throw invalidInput(`fields.${index}.name`, 'There is no such field.');
    if (!canBeAsked(field)) throw invalidInput(`fields.${index}.name`, 'A form cannot ask for this field.');
  }
  const isLeftOut = ({ field, required, hasDefault }: CollectionField) =>
    required &&
    !hasDefault &&
    field !== 'email' &&
    field !== 'id' &&
    !asked.some(({ name, is_required: isRequired }) => name === field && isRequired);
  const missing = known.find(isLeftOut);
  if (missing !== undefined)
    throw invalidInput('fields', `Contacts need the field “${missing.field}”: ask for it, and require it.`);
}

/** What is wrong with a value, as a key of the texts of the page. */
export type InputError = 'required' | 'email' | 'number' | 'date' | 'choice' | 'too_long' | 'invalid';

/**
 * Reads the fields of a submitted form.
 * @returns the values by field, without those that were left empty, and the errors by field
 */
export function readFields(
  asked: readonly SignUpField[],
  known: readonly CollectionField[],
  form: FormData,
): { values: Record<string, JsonValue>; errors: Map<string, InputError> } {
  const values: Record<string, JsonValue> = {};
  const errors = new Map<string, InputError>();
  for (const { name, is_required: isRequired } of asked) {
    const field = known.find((other) => other.field === name);
    // It was deleted or hidden since.
    if (field === undefined || !canBeAsked(field)) continue;
    const result = readField(field, textOf(form, signUpFieldInput(name)));
    // A box that has to be ticked, for example that of the terms.
    if (typeof result === 'object' && isRequired && result.value === false) errors.set(name, 'required');
    else if (typeof result === 'object') values[name] = result.value;
    else if (result !== undefined) errors.set(name, result);
    else if (isRequired) errors.set(name, 'required');
  }
  return { values, errors };
}

/** @returns an empty text for a missing value, and for a file */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** Whether a box is ticked. Forms on other websites can have a choice of yes and no instead. @returns undefined for neither */
export function readTick(text: string): boolean | undefined {
  const optedOut = readOptOut(text, 'subscribed');
  return optedOut === undefined ? undefined : !optedOut;
}

/** Whether a form allows to measure opens and clicks. */
export function readTracking(form: FormData): boolean {
  const text = textOf(form, signUpInputs.tracking);
  if (text === '') return false;
  const isYes = readTick(text);
  if (isYes !== undefined) return isYes;
  const taken = takeUnreadable('sign_up_tracking', false);
  return typeof taken === 'object' && taken.value;
}

/** @returns undefined for no value */
function readField(field: CollectionField, text: string): { value: JsonValue } | InputError | undefined {
  const { type } = field;
  if (text === '') return undefined;
  if (type === 'boolean') {
    const isYes = readTick(text);
    if (isYes !== undefined) return { value: isYes };
    const taken = takeUnreadable<JsonValue>('sign_up_field', false);
    return taken === 'rejected' ? 'choice' : taken === 'left_out' ? undefined : taken;
  }
  if (text.length > (type === 'text' ? signUpMaxLength.text : signUpMaxLength.string)) return 'too_long';
  if (!isStorable(text)) return 'invalid';
  const ofType = checkValue(type, type === 'text' ? text.replaceAll('\r\n', '\n') : text);
  if ('reason' in ofType) return type === 'date' ? 'date' : 'number';
  const checked = checkInterface(field, ofType.value);
  if ('reason' in checked) return field.interface === 'email' ? 'email' : 'choice';
  return checked;
}
