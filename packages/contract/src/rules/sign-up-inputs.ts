/** Names of the inputs of a sign-up form, on its page and on other websites. */
export const signUpInputs = {
  email: 'email',
  /** The version whose text the form shows; without it, the newest one counts. */
  version: 'version',
  /** Once for each chosen topic, with its id. */
  topic: 'topic',
  /** Yes in any of the words of `consent-column.ts`, such as `1` and `on`; any other value is a no. */
  tracking: 'tracking',
  /** Hidden from people. A form in which it is filled is dropped, and answered like any other. */
  trap: 'homepage',
} as const;

export const signUpFieldInput = (field: string): string => `field_${field}`;

/** What surrounds the texts of a form, in its language. */
export const signUpWords = {
  en: {
    address: 'Email address',
    topics: 'What would you like to get?',
    /** `{brand}` is a placeholder. */
    tracking: '{brand} may measure whether I open emails and follow links.',
    trap: 'Leave this empty',
    signUp: 'Sign up',
  },
  de: {
    address: 'E-Mail-Adresse',
    topics: 'Was möchten Sie erhalten?',
    tracking: '{brand} darf messen, ob ich E-Mails öffne und Links folge.',
    trap: 'Bitte leer lassen',
    signUp: 'Anmelden',
  },
} as const;

/** Maximum characters of a value. */
export const signUpMaxLength = { string: 500, text: 4_000 } as const;

/** What a form can ask for: values that people write or choose. */
const askableTypes: readonly string[] = [
  'string',
  'text',
  'integer',
  'bigInteger',
  'float',
  'decimal',
  'boolean',
  'date',
];

/** Fields that a form cannot ask for: the address is always asked for, and the others are not for people to set. */
const reservedFields: readonly string[] = ['id', 'email', 'unsubscribed'];

/** Whether a form can ask for a field of its collection. An image is the address of a file, which people do not have, and people do not write HTML. */
export const canBeAsked = (field: {
  field: string;
  type: string;
  interface: string | null;
  unique: boolean;
  hidden: boolean;
  readonly: boolean;
}): boolean =>
  !reservedFields.includes(field.field) &&
  askableTypes.includes(field.type) &&
  field.interface !== 'image' &&
  field.interface !== 'rich_text' &&
  !field.unique &&
  !field.hidden &&
  !field.readonly;
