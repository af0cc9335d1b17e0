/** A merge tag: a variable that an email prints. */
export interface MergeTag {
  /** As the author writes it: `contact.first_name`. */
  variable: string;
  place: TagPlace;
  /** When it prints nothing for a contact; `always`: for nobody is there a value; `not_checked`: only rendering tells. */
  empty: ContactTest | 'always' | 'not_checked';
  /** False where `empty` is true of more contacts than get a hole, because a condition around the tag cannot be told. */
  isExact: boolean;
}

/** Where the tag stands first. */
export interface TagPlace {
  field: 'subject' | 'preheader' | 'mjml';
  /** 1-based, in `field`. */
  line?: number;
}

/** What an email prints, and what it reads of a contact. */
export interface MergeTags {
  /** One for each variable that can be empty: a fallback or a condition covers the others. */
  printed: MergeTag[];
  /** First-level fields of `contact`, also those in conditions and fallbacks. */
  fields: { name: string; place: TagPlace }[];
}

/** Of an email that cannot be shown. */
export const noTags: MergeTags = { printed: [], fields: [] };

/** A condition over the data of a contact, as Liquid decides it. A path leads to a value; a missing one counts as null. */
export type ContactTest =
  | { kind: 'constant'; value: boolean }
  /** Only rendering tells. */
  | { kind: 'unknown' }
  | { kind: ValueTest; path: string[] }
  /** Of the same type and equal. */
  | { kind: 'equals'; path: string[]; value: string | number | boolean }
  | { kind: 'all' | 'any'; tests: ContactTest[] }
  | { kind: 'not'; test: ContactTest };

export type ValueTest =
  /** Prints nothing, or white space: null, such a text, an empty list. */
  | 'blank'
  /** The filter `default` replaces it: null, false, an empty text, an empty list. */
  | 'unset'
  /** A condition is met by it: anything but null and false. */
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

/** A test that is true wherever the given one may be: what cannot be told counts as true, also below a `not`. */
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

/** How many values a test looks at. */
export const sizeOf = (test: ContactTest): number => listParts(test).length;

function listParts(test: ContactTest): ContactTest[] {
  if (test.kind === 'not') return listParts(test.test);
  return 'tests' in test ? test.tests.flatMap(listParts) : [test];
}
