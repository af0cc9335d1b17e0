export type Strength = 'short' | 'weak' | 'fair' | 'good' | 'strong';

export const minPassword = 8;
export const maxPassword = 128;

/**
 * How hard a password is to guess, roughly and at once: by how much of it is not a repetition, a row or a common word.
 * A hint while typing; the server decides.
 * @param known  name and address, which others know
 */
export function strengthOf(password: string, known: readonly string[] = []): Strength {
  if (password.length < minPassword) return 'short';
  let rest = password.toLowerCase();
  for (const word of [...known.flatMap((text) => text.toLowerCase().split(/[\s@._-]+/)), ...common]) {
    if (word.length > 2) rest = rest.replaceAll(word, '*');
  }
  rest = rest.replaceAll(/(.)\1+/g, '$1$1').replaceAll(/(?:\d{4,}|[a-z]{4,})/g, shortenRows);
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length;
  const score = rest.length + (kinds - 1) * 1.5;
  if (score < 9) return 'weak';
  if (score < 13) return 'fair';
  return score < 18 ? 'good' : 'strong';
}

/** `123456` and `abcdef` are as good as two signs. */
function shortenRows(run: string): string {
  const codes = Array.from(run, (sign) => sign.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  const isRow = steps.every((step) => step === 1) || steps.every((step) => step === -1);
  return isRow ? run.slice(0, 2) : run;
}

const common = [
  'password',
  'passwort',
  'kennwort',
  'qwertz',
  'qwerty',
  'asdf',
  'letmein',
  'willkommen',
  'welcome',
  'admin',
  'hallo',
  'hello',
  'schatz',
  'iloveyou',
  'geheim',
  'secret',
  'reachout',
  'sommer',
  'summer',
  'winter',
];
