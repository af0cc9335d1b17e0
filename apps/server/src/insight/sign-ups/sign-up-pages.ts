import type { Language } from '@reachout/contract/rules/languages.ts';
import { signUpFieldInput, signUpInputs, signUpMaxLength } from '@reachout/contract/rules/sign-up-inputs.ts';
import type { SignUpField } from '@reachout/contract/sign-up-forms.ts';
import type { StoredSignUp } from '../../contacts/sign-ups/confirm-sign-up.ts';
import type { OpenForm } from '../../contacts/sign-ups/open-form.ts';
import type { JsonValue } from '../../content/backend/field-values.ts';
import {
  readTick,
  textOf,
  type CollectionField,
  type InputError,
} from '../../contacts/sign-ups/sign-up-fields.ts';
import { maskAddress } from '../../email/addresses/address.ts';
import { button, checkbox, form, hidden, markup, type Html } from '../public-pages/markup.ts';
import { statusPage, type PublicPage } from '../public-pages/page-layout.ts';
import { textsIn } from '../public-pages/page-texts.ts';
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

export function formPage(
  language: Language,
  { form: { fields: asked, ...shown }, brand, fields, topics }: ShownForm,
  entered?: Entered,
): PublicPage {
  const text = textsIn(signUpTexts, language, { brand: brand.name });
  const valueOf = (name: string) => (entered === undefined ? '' : textOf(entered.form, name));
  const isTicked = (name: string) => readTick(valueOf(name)) === true;

  /** @param known  undefined for the address */
  function field({ name, label, is_required: isRequired }: SignUpField, known?: CollectionField): Html {
    const input = known === undefined ? signUpInputs.email : signUpFieldInput(name);
    const error = entered?.errors.get(name);
    const invalid = error && markup` aria-invalid="true" aria-describedby="error-${name}"`;
    const attributes = markup`id="${input}" name="${input}"${isRequired && markup` required`}${invalid}`;
    const words = [label, isRequired && markup` <span class="mark">${text('required')}</span>`];
    const content =
      known?.type === 'boolean'
        ? checkbox(markup`${attributes} value="1"`, isTicked(input), words)
        : markup`
          <label class="field" for="${input}">${words}</label>
          ${inputOf(known, attributes, valueOf(input), text('choose'))}`;
    const problem = error && markup`<p class="error" id="error-${name}">${text(`error_${error}`)}</p>`;
    return markup`<div>${content}${problem}</div>`;
  }

  const chosen = entered?.form.getAll(signUpInputs.topic) ?? [];
  const { tracking, trap } = signUpInputs;
  const boxes = topics.map(({ id, name, description }) =>
    checkbox(markup`name="${signUpInputs.topic}" value="${id}"`, chosen.includes(id), name, description),
  );
  const trackingBox = checkbox(
    markup`name="${tracking}" value="1"`,
    isTicked(tracking),
    text('tracking'),
    text('trackingNote'),
  );
  const problem = entered && text(entered.isBusy === true ? 'busy' : 'wrong');
  return {
    title: shown.title,
    brand,
    content: form(language, [
      problem && markup`<p class="error" role="alert"><strong>${problem}</strong></p>`,
      hidden('source', 'page'),
      hidden(signUpInputs.version, String(shown.version)),
      field({ name: 'email', label: text('address'), is_required: true }),
      asked.map((each) => {
        const known = fields.find((other) => other.field === each.name);
        return known && field(each, known);
      }),
      boxes.length > 0 &&
        markup`<fieldset><legend class="field">${text('topics')}</legend>${boxes}</fieldset>`,
      shown.asks_tracking && markup`<div>${trackingBox}</div>`,
      markup`
        <div class="trap" aria-hidden="true">
          <label for="${trap}">${text('trap')}</label>
          <input id="${trap}" name="${trap}" tabindex="-1" autocomplete="off">
        </div>`,
      consentOf(shown),
      button('main', text('signUp')),
    ]),
  };
}

/** What a person agrees to, in the language of the form. */
const consentOf = ({ consent_text, language }: Pick<StoredSignUp, 'consent_text' | 'language'>): Html =>
  markup`<p class="consent" lang="${language}">${consent_text}</p>`;

/** @param field  undefined for the address */
function inputOf(field: CollectionField | undefined, attributes: Html, value: string, choose: string): Html {
  if (field === undefined)
    return markup`<input ${attributes} type="email" autocomplete="email" value="${value}">`;
  const { type, interface: name, choices } = field;
  if (type === 'text')
    return markup`<textarea ${attributes} maxlength="${String(signUpMaxLength.text)}">${value}</textarea>`;
  if (name === 'select') {
    const options = (choices ?? []).map(
      (choice) =>
        markup`<option value="${choice}"${choice === value && markup` selected`}>${choice}</option>`,
    );
    return markup`<select ${attributes}><option value="">${choose}</option>${options}</select>`;
  }
  const kind =
    type === 'date'
      ? markup`type="date"`
      : type !== 'string'
        ? markup`inputmode="decimal"`
        : markup`type="${name === 'email' ? 'email' : 'text'}" maxlength="${String(signUpMaxLength.string)}"`;
  return markup`<input ${attributes} ${kind} value="${value}">`;
}

/** The same for every address, also for those that get no mail, and for filled traps. */
export function checkInboxPage(language: Language, brand: ShownBrand): PublicPage {
  const text = textsIn(signUpTexts, language, { brand: brand.name });
  return statusPage(text, 'checkInbox', brand, markup`<p class="address">${text('checkInboxNote')}</p>`);
}

const textsOfSignUp = (language: Language, { address }: StoredSignUp, brand: ShownBrand) =>
  textsIn(signUpTexts, language, { brand: brand.name, address: maskAddress(address) });

/**
 * Asks to confirm: opening the link confirms nothing, as scanners of mail open links, too.
 * @param declined  topics that were not chosen, and of which the address gets nothing so far
 */
export function confirmationPage(
  language: Language,
  signUp: StoredSignUp,
  declined: readonly { name: string }[],
  brand: ShownBrand,
): PublicPage {
  const text = textsOfSignUp(language, signUp, brand);
  const list = (title: string, lines: readonly string[]) =>
    lines.length > 0 && markup`<p>${title}</p><ul>${lines.map((line) => markup`<li>${line}</li>`)}</ul>`;
  const shownOf = (value: JsonValue) =>
    typeof value === 'boolean'
      ? text(value ? 'yes' : 'no')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  const entered = signUp.fields.flatMap(({ name, label }) => {
    const value = signUp.field_values[name];
    return value === undefined ? [] : [`${label}: ${shownOf(value)}`];
  });
  const namesOf = (topics: readonly { name: string }[]) => topics.map(({ name }) => name);
  return {
    title: text('confirmTitle'),
    brand,
    content: [
      markup`<p><strong>${signUp.title}</strong></p><p class="address">${text('addressLine')}</p>`,
      list(text('confirmEntered'), entered),
      list(text('confirmTopics'), namesOf(signUp.topics)),
      list(text('confirmDeclined'), namesOf(declined)),
      signUp.tracking_consent === true && markup`<p>${text('measured')}</p>`,
      consentOf(signUp),
      form(language, button('main', text('confirm'))),
    ],
  };
}

export function confirmedPage(language: Language, signUp: StoredSignUp, brand: ShownBrand): PublicPage {
  const text = textsOfSignUp(language, signUp, brand);
  const more = markup`<p class="address">${text('addressLine')}</p><p>${text('doneNote')}</p>`;
  return statusPage(text, 'done', brand, more);
}

/** A page without a brand, which does not tell why. */
export const closedPage = (language: Language, about: 'closed' | 'unknown'): PublicPage =>
  statusPage(textsIn(signUpTexts, language), about);
