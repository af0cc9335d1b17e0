/** A merge tag: a variable that an email prints. */
export interface MergeTag {
  /** As the author writes it: `contact.first_name`. */
  variable: string;
  place: TagPlace;
  /** When it prints nothing for a contact; `always`: no contact has a value; `not_checked`: only rendering can tell. */
  empty: ContactTest | 'always' | 'not_checked';
  /** False if `empty` may also match contacts who see no gap, because a condition around the tag is unknown. */
  isExact: boolean;
}

/** The first position of the tag. */
export interface TagPlace {
  field: 'subject' | 'preheader' | 'mjml';
  /** 1-based, in `field`. */
  line?: number;
}

/** A field of content items that an email prints although it is empty. */
export interface EmptyItemField {
  /** `item`: the chosen one; `items`: those that the email lists. */
  of: 'item' | 'items';
  /** Path within the item. */
  field: string;
  place: TagPlace;
  /** Number of items without a value. */
  count: number;
}

/** The variables that an email prints, and the contact fields that it reads. */
export interface MergeTags {
  /** One for each variable that can be empty: a fallback or a condition covers the others. */
  printed: MergeTag[];
  /** First-level fields of `contact`, including those in conditions and fallbacks. */
  fields: { name: string; place: TagPlace }[];
  emptyItemFields: EmptyItemField[];
  /** The content items that it reads, also in conditions and fallbacks. */
  reads: ('item' | 'items')[];
}

/** For an email that cannot be shown. */
export const noTags: MergeTags = { printed: [], fields: [], emptyItemFields: [], reads: [] };

/** A condition on the data of a contact, as Liquid evaluates it. A path refers to a value; a missing one counts as null. */
export type ContactTest =
  | { kind: 'constant'; value: boolean }
  /** Only rendering can tell. */
  | { kind: 'unknown' }
  | { kind: ValueTest; path: string[] }
  /** Of the same type and equal. */
  | { kind: 'equals'; path: string[]; value: string | number | boolean }
  | { kind: 'all' | 'any'; tests: ContactTest[] }
  | { kind: 'not'; test: ContactTest };

export type ValueTest =
  /** Prints nothing, or white space: null, a blank text, an empty list. */
  | 'blank'
  /** The filter `default` replaces it: null, false, an empty text, an empty list. */
  | 'unset'
  /** Meets a condition: anything but null and false. */
  | 'truthy'
  /** `== empty`: a text, list or object with nothing in it. */
  | 'empty'
  | 'null';

export const constant = (value: boolean): ContactTest => ({ kind: 'constant', value });
export const unknownTest: ContactTest = { kind: 'unknown' };

export const allOf = (...tests: ContactTest[]): ContactTest => joined('all', tests);
export const anyOf = (...tests: ContactTest[]): ContactTest => joined('any', tests);

export function notOf(test: ContactTest): ContactTest {
  if (test.kind === 'constant') return constant(!test.value);
  return test.kind === 'not' ? test.test : test.kind === 'unknown' ? test : { kind: 'not', test };
}

export const isConstant = (test: ContactTest, value: boolean): boolean =>
  test.kind === 'constant' && test.value === value;

function joined(kind: 'all' | 'any', tests: ContactTest[]): ContactTest {
  const decisive = kind === 'any';
  if (tests.some((test) => isConstant(test, decisive))) return constant(decisive);
  const open = tests
    .filter((test) => test.kind !== 'constant')
    .flatMap((test) => (test.kind === kind ? test.tests : [test]));
  return open.length === 0 ? constant(!decisive) : open.length === 1 ? open[0]! : { kind, tests: open };
}

/** @returns a test that is true wherever the given one may be: unknown parts count as true, also inside a `not` */
export function widened(test: ContactTest, isNegated = false): ContactTest {
  switch (test.kind) {
    case 'unknown':
      return constant(true);
    case 'not':
      return widened(test.test, !isNegated);
    case 'all':
    case 'any': {
      const tests = test.tests.map((inner) => widened(inner, isNegated));
      return (test.kind === 'all') === isNegated ? anyOf(...tests) : allOf(...tests);
    }
    default:
      return isNegated ? notOf(test) : test;
  }
}

export const hasUnknown = (test: ContactTest): boolean =>
  listParts(test).some(({ kind }) => kind === 'unknown');

/** @returns how many values a test reads */
export const sizeOf = (test: ContactTest): number => listParts(test).length;

function listParts(test: ContactTest): ContactTest[] {
  if (test.kind === 'not') return listParts(test.test);
  return 'tests' in test ? test.tests.flatMap(listParts) : [test];
}
