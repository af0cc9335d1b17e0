import type { CompileProblem, ContactTest, MergeTag, MergeTags } from '../../email/email-content.ts';

/** Maximum variables whose empty values are counted: each is evaluated for every contact. */
export const maxCountedTags = 50;

/** @returns the conditions to count; `findTagProblems` takes the counts in the same order */
export const listCountedTests = ({ printed }: MergeTags): ContactTest[] =>
  countedTags(printed).map(({ empty }) => empty);

type CountedTag = MergeTag & { empty: ContactTest };

const countedTags = (printed: readonly MergeTag[]): CountedTag[] =>
  printed.filter((tag): tag is CountedTag => typeof tag.empty === 'object').slice(0, maxCountedTags);

/** Number of contacts that match each condition: of all recipients, or of the one contact of a preview. */
export interface TagCount {
  recipients: number | 'one';
  empty: readonly number[];
}

/** The contact collection's name and fields. */
export interface TagFields {
  collection: string;
  names: readonly string[];
  /** False while another collection may still be chosen: a missing field is then only a warning. */
  isDecided: boolean;
}

/**
 * The only check of merge tags. Review, start and preview all use it and differ in the contacts that they count.
 * @param fields  undefined if contacts may have any fields
 * @param count  `too_slow` if counting took too long, `not_read` if the contacts have not been read yet; undefined if no
 *   contacts are to be counted
 */
export function findTagProblems(
  { printed, fields: read }: MergeTags,
  fields: TagFields | undefined,
  count: TagCount | 'too_slow' | 'not_read' | undefined,
): CompileProblem[] {
  const unknown = fields === undefined ? [] : read.filter(({ name }) => !fields.names.includes(name));
  const unknownNames = new Set(unknown.map(({ name }) => name));
  const isUnknown = ({ variable }: MergeTag) => unknownNames.has(rootOf(variable) ?? '');
  const known = printed.filter((tag) => !isUnknown(tag));
  return [
    ...unknown.map(({ name, place }): CompileProblem => ({
      code: 'variable_unknown',
      severity: fields?.isDecided === true ? 'error' : 'warning',
      message: `There is no field ${name} in ${fields?.collection}, so contact.${name} is always empty.`,
      variable: `contact.${name}`,
      ...place,
    })),
    ...known.filter(({ empty }) => empty === 'always').map(describeAlways),
    ...describeCounted(printed, known, count),
  ];
}

const rootOf = (variable: string): string | undefined => /^contact\.([^.]+)/.exec(variable)?.[1];

function describeCounted(
  printed: readonly MergeTag[],
  known: readonly MergeTag[],
  count: TagCount | 'too_slow' | 'not_read' | undefined,
): CompileProblem[] {
  if (count === undefined) return [];
  const counted: readonly MergeTag[] = countedTags(printed);
  if (typeof count === 'string' && counted.length > 0) return [count === 'too_slow' ? tooSlow : notRead];
  const { recipients, empty } = typeof count === 'string' ? noCount : count;
  return [
    ...counted.flatMap((tag, index) => {
      const contacts = empty[index] ?? 0;
      return contacts === 0 || !known.includes(tag) ? [] : [describeEmpty(tag, contacts, recipients)];
    }),
    // A preview shows what they print.
    ...(recipients === 'one'
      ? []
      : known.filter((tag) => tag.empty !== 'always' && !counted.includes(tag)).map(describeNotCounted)),
  ];
}

const noCount: TagCount = { recipients: 0, empty: [] };

const tooSlow: CompileProblem = {
  code: 'count_too_slow',
  severity: 'warning',
  message: 'The audience is so large that empty merge tags were not counted. Give each tag a fallback.',
};

const notRead: CompileProblem = {
  code: 'contacts_not_read',
  severity: 'warning',
  message: 'Empty merge tags are counted once the contacts have been read. Give each tag a fallback.',
};

const whole = new Intl.NumberFormat('en');

function describeEmpty(
  { variable, place }: MergeTag,
  empty: number,
  recipients: TagCount['recipients'],
): CompileProblem {
  const problem = { code: 'variable_empty', severity: 'warning', variable, ...place } as const;
  if (recipients === 'one') return { ...problem, message: `${variable} is empty for this contact.` };
  return {
    ...problem,
    message: `${variable} is empty for ${whole.format(empty)} of ${whole.format(recipients)}: add a fallback.`,
    count: { empty, recipients, is_exact: true },
  };
}

const describeAlways = ({ variable, place }: MergeTag): CompileProblem => ({
  code: 'variable_unknown',
  severity: 'error',
  message: `There is no ${variable}, so it is always empty.`,
  variable,
  ...place,
});

const describeNotCounted = ({ variable, place, empty }: MergeTag): CompileProblem => ({
  code: 'variable_not_counted',
  severity: 'warning',
  message:
    empty === 'not_counted'
      ? `${variable} is not counted, because it is in a condition, a loop or an expression.`
      : `${variable} is not counted: only the first ${maxCountedTags} merge tags are.`,
  variable,
  ...place,
});
