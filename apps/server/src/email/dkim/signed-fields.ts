import { relaxField, type HeaderField } from './relaxed.ts';

/**
 * Signed once more than they occur, so that a field added on top breaks the signature (RFC 6376 section 8.15): mail programs
 * show the first Subject, or follow the first List-Unsubscribe. Cc and Sender never occur, and cannot be added either.
 */
const sealedFields = ['from', 'reply-to', 'to', 'cc', 'sender', 'subject', 'list-unsubscribe'];

/** Signed as often as they occur. One-click unsubscribe requires a signed List-Unsubscribe-Post (RFC 8058 section 4). */
const coveredFields = [
  'date',
  'message-id',
  'list-unsubscribe-post',
  'list-id',
  'feedback-id',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'auto-submitted',
  'cfbl-address',
];

/** @returns the names for `h=` */
export function namesToSign(fields: readonly HeaderField[]): string[] {
  const counts = new Map<string, number>();
  for (const { name } of fields) counts.set(name, (counts.get(name) ?? 0) + 1);
  const countOf = (name: string) => counts.get(name) ?? 0;
  return [
    ...sealedFields.flatMap((name) => Array<string>(countOf(name) + 1).fill(name)),
    ...coveredFields.flatMap((name) => Array<string>(countOf(name)).fill(name)),
  ];
}

/**
 * @param names  of `h=`, in lower case: each occurrence takes the next field of its name from the bottom up, or nothing
 *   (RFC 6376 section 5.4.2)
 * @param signature  the field of the signature itself, with an empty `b=`
 * @returns what is signed
 */
export function signedText(
  fields: readonly HeaderField[],
  names: readonly string[],
  signature: HeaderField,
): Buffer {
  const left = new Map<string, HeaderField[]>();
  for (const field of fields) {
    const others = left.get(field.name);
    if (others === undefined) left.set(field.name, [field]);
    else others.push(field);
  }
  let text = '';
  for (const name of names) {
    const field = left.get(name)?.pop();
    if (field !== undefined) text += `${relaxField(field)}\r\n`;
  }
  return Buffer.from(text + relaxField(signature), 'latin1');
}
