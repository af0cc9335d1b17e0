import type { CompileProblem } from '../../email/email-content.ts';
import type { ContactTest, MergeTag, MergeTags } from '../../email/merge-tags.ts';

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
    ...(count === undefined
      ? []
      : known.filter(({ empty }) => empty === 'not_checked').map(describeNotChecked)),
  ];
}

const rootOf = (variable: string): string | undefined => /^contact\.([^.]+)/.exec(variable)?.[1];

function describeCounted(
  printed: readonly MergeTag[],
  known: readonly MergeTag[],
  count: TagCount | 'too_slow' | 'not_read' | undefined,
): CompileProblem[] {
  const counted = countedTags(printed);
  if (count === undefined || counted.length === 0) return [];
  if (count === 'too_slow') return [tooSlow];
  if (count === 'not_read') return [notRead];
  const beyond = known.filter((tag) => typeof tag.empty === 'object' && !counted.includes(tag as CountedTag));
  return [
    ...counted.flatMap((tag, index) => {
      const empty = count.empty[index] ?? 0;
      return empty === 0 || !known.includes(tag) ? [] : [describeEmpty(tag, empty, count.recipients)];
    }),
    ...beyond.map(describeNotChecked),
  ];
}

const tooSlow: CompileProblem = {
  code: 'variables_not_counted',
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
  { variable, place, isExact }: MergeTag,
  empty: number,
  recipients: TagCount['recipients'],
): CompileProblem {
  const problem = { code: 'variable_empty', severity: 'warning', variable, ...place } as const;
  if (recipients === 'one')
    return { ...problem, message: `${variable} ${isExact ? 'is' : 'may be'} empty for this contact.` };
  const bound = isExact ? '' : 'up to ';
  return {
    ...problem,
    message: `${variable} is empty for ${bound}${whole.format(empty)} of ${whole.format(recipients)}: add a fallback.`,
    count: { empty, recipients, is_exact: isExact },
  };
}

const describeAlways = ({ variable, place }: MergeTag): CompileProblem => ({
  code: 'variable_unknown',
  severity: 'error',
  message: `There is no ${variable}, so it is always empty.`,
  variable,
  ...place,
});

const describeNotChecked = ({ variable, place }: MergeTag): CompileProblem => ({
  code: 'variable_not_checked',
  severity: 'warning',
  message: `Whether ${variable} is empty could not be checked.`,
  variable,
  ...place,
});
