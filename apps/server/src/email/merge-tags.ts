/** A merge tag: a variable that an email prints. */
export interface MergeTag {
  /** As the author writes it: `contact.first_name`. */
  variable: string;
  place: TagPlace;
  /**
   * When it prints nothing for a contact. `always`: no contact has a value; `not_counted`: it is in a condition, a loop or an
   * expression.
   */
  empty: ContactTest | 'always' | 'not_counted';
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
  /** One for each variable that can be empty. */
  printed: MergeTag[];
  /** First-level fields of `contact`, including those in conditions and fallbacks. */
  fields: { name: string; place: TagPlace }[];
  emptyItemFields: EmptyItemField[];
  /** The content items that it reads, also in conditions and fallbacks. */
  reads: ('item' | 'items')[];
}

/** For an email that cannot be shown. */
export const noTags: MergeTags = { printed: [], fields: [], emptyItemFields: [], reads: [] };

/** Matches contacts for whom a merge tag prints nothing, or white space. A missing value counts as null. */
export interface ContactTest {
  /** Of the field within the contact. */
  path: string[];
  /** A fallback replaces everything but white space. */
  hasFallback: boolean;
}
