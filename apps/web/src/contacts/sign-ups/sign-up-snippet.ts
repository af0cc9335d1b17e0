import type { Field } from '@reachout/contract/content-fields.ts';
import {
  signUpFieldInput,
  signUpInputs,
  signUpMaxLength,
  signUpWords,
} from '@reachout/contract/rules/sign-up-inputs.ts';
import type { SignUpField, SignUpForm } from '@reachout/contract/sign-up-forms.ts';

type Shown = Pick<
  SignUpForm,
  'url' | 'version' | 'language' | 'fields' | 'topic_ids' | 'asks_tracking' | 'consent_text'
>;
type Kind = Pick<Field, 'field' | 'type' | 'interface' | 'choices'>;

/**
 * A form for another website, without script. It posts to the public page, which shows the form again if something is wrong.
 * @param kinds  the fields of the collection, which say what is typed into an input
 * @param topics  of the brand, by which those of the form are named
 */
export function snippetOf(
  form: Shown,
  brand: string,
  kinds: readonly Kind[],
  topics: readonly { id: string; name: string }[],
): string {
  const text = signUpWords[form.language];
  const offered = form.topic_ids.flatMap((id) => topics.find((topic) => topic.id === id) ?? []);
  return [
    `<form action="${escapeHtml(form.url)}" method="post" accept-charset="utf-8">`,
    `  <input type="hidden" name="${signUpInputs.version}" value="${form.version}">`,
    `  <p><label>${text.address} <input type="email" name="${signUpInputs.email}" autocomplete="email" required></label></p>`,
    ...form.fields.map(
      (field) =>
        `  <p>${inputOf(
          field,
          kinds.find((kind) => kind.field === field.name),
        )}</p>`,
    ),
    ...(offered.length === 0
      ? []
      : [
          '  <fieldset>',
          `    <legend>${text.topics}</legend>`,
          ...offered.map(
            ({ id, name }) =>
              `    <p><label><input type="checkbox" name="${signUpInputs.topic}" value="${id}"> ${escapeHtml(name)}</label></p>`,
          ),
          '  </fieldset>',
        ]),
    ...(form.asks_tracking
      ? [
          `  <p><label><input type="checkbox" name="${signUpInputs.tracking}" value="1"> ${escapeHtml(text.tracking.replace('{brand}', () => brand))}</label></p>`,
        ]
      : []),
    // Programs that fill all inputs give themselves away. Neither seen nor read out, nor reached by keyboard.
    `  <p style="display:none"><label>${text.trap} <input name="${signUpInputs.trap}" tabindex="-1" autocomplete="off"></label></p>`,
    `  <p>${escapeHtml(form.consent_text).replaceAll('\n', '<br>')}</p>`,
    `  <p><button>${text.signUp}</button></p>`,
    '</form>',
  ].join('\n');
}

function inputOf({ name, label, is_required }: SignUpField, kind: Kind | undefined): string {
  const attributes = `name="${signUpFieldInput(name)}"${is_required ? ' required' : ''}`;
  const text = escapeHtml(label);
  if (kind?.type === 'boolean')
    return `<label><input type="checkbox" ${attributes} value="1"> ${text}</label>`;
  if (kind?.interface === 'select' && kind.choices !== null) {
    const options = ['', ...kind.choices].map((choice) => `<option>${escapeHtml(choice)}</option>`);
    return `<label>${text} <select ${attributes}>${options.join('')}</select></label>`;
  }
  if (kind?.type === 'text')
    return `<label>${text} <textarea ${attributes} maxlength="${signUpMaxLength.text}"></textarea></label>`;
  const type = inputTypeOf(kind);
  const limit = type === 'date' ? '' : ` maxlength="${signUpMaxLength.string}"`;
  return `<label>${text} <input type="${type}" ${attributes}${limit}></label>`;
}

function inputTypeOf(kind: Kind | undefined): string {
  if (kind?.interface === 'email') return 'email';
  if (kind?.type === 'date') return 'date';
  return 'text';
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
