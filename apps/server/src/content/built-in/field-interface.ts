import { shortenText } from '@reachout/contract/rules/cut-text.ts';
import type { FieldInterface, FieldType } from '@reachout/contract/content-fields.ts';
import { isEmail, isWebAddress } from '@reachout/contract/rules/addresses.ts';
import type { Checked, JsonValue } from '../backend/field-values.ts';

/** Settings that restrict the values of a field beyond its type. */
export interface Narrowing {
  type: FieldType;
  interface: FieldInterface | null;
  choices: readonly string[] | null;
}

/** Checks a value that already has the type of its field. An empty string means no value, and is valid. */
export function checkInterface({ type, interface: name, choices }: Narrowing, value: JsonValue): Checked {
  // For a file id, the code that stores it checks that the file exists.
  if (name === null || value === '' || type === 'uuid') return { value };
  return checks[name](value, choices ?? []);
}

const checks: Record<FieldInterface, (value: JsonValue, choices: readonly string[]) => Checked> = {
  email: (value) =>
    typeof value === 'string' && isEmail(value)
      ? { value: value.trim() }
      : { reason: 'Enter an email address such as name@example.com.' },
  select: (value, choices) =>
    choices.some((choice) => choice === value)
      ? { value }
      : { reason: `Use one of these values: ${shorten(choices.join(', '))}` },
  // The type covers everything.
  tags: (value) => ({ value }),
  // Made safe where it is printed.
  rich_text: (value) => ({ value }),
  image: (value) =>
    typeof value === 'string' && isWebAddress(value)
      ? { value: value.trim() }
      : { reason: 'Enter the web address of an image, such as https://example.com/image.png.' },
};

const shorten = (text: string): string => shortenText(text, 200);
