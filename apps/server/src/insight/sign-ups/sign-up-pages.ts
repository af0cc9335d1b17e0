import { signUpFieldInput, signUpInputs, signUpMaxLength } from '@reachout/contract/rules/sign-up-inputs.ts';
import type { SignUpField } from '@reachout/contract/sign-up-forms.ts';
import type { OpenForm } from '../../contacts/sign-ups/open-form.ts';
import type { JsonValue } from '../../content/backend/field-values.ts';
import {
  readTick,
  textOf,
  type CollectionField,
  type InputError,
} from '../../contacts/sign-ups/sign-up-fields.ts';
import { maskAddress } from '../../email/addresses/address.ts';
import { escapeHtml } from '../../email/liquid/escape-html.ts';
import { layOutPage } from '../public-pages/page-layout.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { fillHtml } from '../public-pages/page-texts.ts';
import type { ShownBrand } from '../tracking/sent-messages.queries.ts';
import { signUpTexts } from './sign-up-texts.ts';

/** A form with its brand. */
export interface ShownForm extends OpenForm {
  brand: ShownBrand;
}

/** What somebody has entered, and what is wrong with it: by field, and for the address by `email`. */
export interface Entered {
  form: FormData;
  errors: ReadonlyMap<string, InputError>;
  /** Whether nothing is wrong with it, but a limit is reached. */
  isBusy?: boolean;
}

export function renderForm(
  language: Language,
  token: string,
  { form, brand, fields, topics }: ShownForm,
  entered?: Entered,
): string {
  const text = signUpTexts[language];
  const valueOf = (name: string) => (entered === undefined ? '' : textOf(entered.form, name));
  const error = (id: string) => {
    const found = entered?.errors.get(id);
    return found === undefined
      ? ''
      : `<p class="error" id="error-${id}">${escapeHtml(text.errors[found])}</p>`;
  };
  const invalid = (id: string) =>
    entered?.errors.has(id) === true ? ` aria-invalid="true" aria-describedby="error-${id}"` : '';
  const mark = (isRequired: boolean) =>
    isRequired ? ` <span class="mark">${escapeHtml(text.required)}</span>` : '';

  const address = `<div><label class="field" for="email">${escapeHtml(text.address)}${mark(true)}</label><input id="email" name="${signUpInputs.email}" type="email" autocomplete="email" required value="${escapeHtml(valueOf(signUpInputs.email))}"${invalid('email')}>${error('email')}</div>`;

  function field({ name, label, is_required: isRequired }: SignUpField): string {
    const known = fields.find((other) => other.field === name);
    if (known === undefined) return '';
    const input = signUpFieldInput(name);
    const value = valueOf(input);
    const attributes = `id="${input}" name="${input}"${isRequired ? ' required' : ''}${invalid(name)}`;
    const shown = `${escapeHtml(label)}${mark(isRequired)}`;
    if (known.type === 'boolean')
      return `<div><label><input type="checkbox" ${attributes} value="1"${checkedIf(value)}><span>${shown}</span></label>${error(name)}</div>`;
    return `<div><label class="field" for="${input}">${shown}</label>${inputOf(known, attributes, value, text.choose)}${error(name)}</div>`;
  }

  const chosen = entered?.form.getAll(signUpInputs.topic) ?? [];
  const topicChoice =
    topics.length === 0
      ? ''
      : `<fieldset><legend class="field">${escapeHtml(text.topics)}</legend>${topics
          .map(
            ({ id, name, description }) =>
              `<label><input type="checkbox" name="${signUpInputs.topic}" value="${id}"${chosen.includes(id) ? ' checked' : ''}><span>${escapeHtml(name)}${description === '' ? '' : `<span class="hint">${escapeHtml(description)}</span>`}</span></label>`,
          )
          .join('')}</fieldset>`;
  const tracking = form.asks_tracking
    ? `<div><label><input type="checkbox" name="${signUpInputs.tracking}" value="1"${checkedIf(valueOf(signUpInputs.tracking))}><span>${fillHtml(text.tracking, { brand: brand.name })}<span class="hint">${escapeHtml(text.trackingNote)}</span></span></label></div>`
    : '';
  const trap = `<div class="trap" aria-hidden="true"><label for="${signUpInputs.trap}">${escapeHtml(text.trap)}</label><input id="${signUpInputs.trap}" name="${signUpInputs.trap}" tabindex="-1" autocomplete="off"></div>`;
  const wrong =
    entered === undefined
      ? ''
      : `<p class="error" role="alert"><strong>${escapeHtml(entered.isBusy === true ? text.busy : text.wrong)}</strong></p>`;
  return layOutPage(
    language,
    form.title,
    `<form method="post" action="${token}?lang=${language}" novalidate>${wrong}<input type="hidden" name="source" value="page"><input type="hidden" name="${signUpInputs.version}" value="${form.version}">${address}${form.fields.map(field).join('')}${topicChoice}${tracking}${trap}<p class="consent" lang="${form.language}">${escapeHtml(form.consent_text)}</p><button class="main">${escapeHtml(text.signUp)}</button></form>`,
    brand,
  );
}

/** @param attributes  HTML */
function inputOf(
  { type, interface: name, choices }: CollectionField,
  attributes: string,
  value: string,
  choose: string,
): string {
  const shown = escapeHtml(value);
  if (type === 'text')
    return `<textarea ${attributes} maxlength="${signUpMaxLength.text}">${shown}</textarea>`;
  if (name === 'select')
    return `<select ${attributes}><option value="">${escapeHtml(choose)}</option>${(choices ?? [])
      .map((choice) => {
        const option = escapeHtml(choice);
        return `<option value="${option}"${choice === value ? ' selected' : ''}>${option}</option>`;
      })
      .join('')}</select>`;
  if (type === 'date') return `<input ${attributes} type="date" value="${shown}">`;
  if (type !== 'string') return `<input ${attributes} inputmode="decimal" value="${shown}">`;
  return `<input ${attributes}${name === 'email' ? ' type="email"' : ''} maxlength="${signUpMaxLength.string}" value="${shown}">`;
}

const checkedIf = (value: string): string => (readTick(value) === true ? ' checked' : '');

/** The same for every address, also for those that get no mail, and for filled traps. */
export function renderCheckInbox(language: Language, brand: ShownBrand): string {
  const { checkInboxTitle, checkInbox, checkInboxNote } = signUpTexts[language];
  return layOutPage(
    language,
    checkInboxTitle,
    `<p role="status">${fillHtml(checkInbox, { brand: brand.name })}</p><p class="address">${escapeHtml(checkInboxNote)}</p>`,
    brand,
  );
}

export interface ShownSignUp {
  address: string;
  title: string;
  consent_text: string;
  language: Language;
  /** What was entered, by field. */
  field_values: Readonly<Record<string, JsonValue>>;
  fields: readonly SignUpField[];
  topics: readonly { id: string; name: string }[];
  /** Those that were not chosen, and of which the address gets nothing so far. */
  declined: readonly { id: string; name: string }[];
  tracking_consent: boolean | null;
}

const confirmRoot = '../../';

/** Asks to confirm: opening the link confirms nothing, as scanners of mail open links, too. */
export function renderConfirmation(
  language: Language,
  token: string,
  signUp: ShownSignUp,
  brand: ShownBrand,
): string {
  const text = signUpTexts[language];
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? ''
      : `<p>${escapeHtml(title)}</p><ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;
  const shownOf = (value: JsonValue) =>
    typeof value === 'boolean'
      ? text[value ? 'yes' : 'no']
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  const entered = signUp.fields.flatMap(({ name, label }) => {
    const value = signUp.field_values[name];
    return value === undefined ? [] : [`${label}: ${shownOf(value)}`];
  });
  const namesOf = (topics: readonly { name: string }[]) => topics.map(({ name }) => name);
  const topics = `${list(text.confirmTopics, namesOf(signUp.topics))}${list(text.confirmDeclined, namesOf(signUp.declined))}`;
  const tracking =
    signUp.tracking_consent === true ? `<p>${fillHtml(text.confirmTracking, { brand: brand.name })}</p>` : '';
  return layOutPage(
    language,
    text.confirmTitle,
    `<p><strong>${escapeHtml(signUp.title)}</strong></p>${addressLine(text.confirmFor, signUp)}${list(text.confirmEntered, entered)}${topics}${tracking}<p class="consent" lang="${signUp.language}">${escapeHtml(signUp.consent_text)}</p><form method="post" action="${token}?lang=${language}"><button class="main">${escapeHtml(text.confirm)}</button></form>`,
    brand,
    confirmRoot,
  );
}

export function renderConfirmed(
  language: Language,
  signUp: Pick<ShownSignUp, 'address'>,
  brand: ShownBrand,
): string {
  const text = signUpTexts[language];
  return layOutPage(
    language,
    text.doneTitle,
    `<p role="status">${fillHtml(text.done, { brand: brand.name })}</p>${addressLine(text.confirmFor, signUp)}<p>${escapeHtml(text.doneNote)}</p>`,
    brand,
    confirmRoot,
  );
}

const addressLine = (template: string, { address }: Pick<ShownSignUp, 'address'>): string =>
  `<p class="address">${fillHtml(template, { address: maskAddress(address) })}</p>`;

/** A page without a brand, which does not tell why. */
export function renderSignUpMessage(language: Language, about: 'closed' | 'expired'): string {
  const text = signUpTexts[language];
  return layOutPage(language, text[`${about}Title`], `<p>${escapeHtml(text[about])}</p>`);
}
