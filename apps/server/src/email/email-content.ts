/** The content that an author writes. `subject`, `preheader` and `mjml` are Liquid. */
export interface EmailContent {
  subject: string;
  preheader: string;
  from_name: string;
  from_email: string;
  reply_to: string | null;
  mjml: string;
}

/** Plain data shared by every message of a send: organization, client, brand, campaign, touchpoint, item. */
export type EmailContext = Record<string, unknown>;

/** A destination. `url` is plain when `personal` is false, else Liquid over the scope of one message. */
export interface EmailLink {
  url: string;
  personal: boolean;
  /** The author wants it left as it is: the redirect adds no visit token. */
  as_written?: true;
}

/** A compiled email as plain JSON, stored once when a send starts and never changed afterwards. */
export interface EmailSnapshot {
  version: 1;
  /** SHA-256, hex, over everything else in this record. */
  content_hash: string;
  from_name: string;
  from_email: string;
  reply_to: string | null;
  /** Liquid, printed without HTML escapes. */
  subject: string;
  /** Liquid; for lists and notifications, since `html` already contains it. */
  preheader: string;
  /** Liquid, HTML; destinations are `{{ links.click_N }}`, the pixel is `{{ links.pixel }}`. */
  html: string;
  /** Liquid, plain text. */
  text: string;
  /** Index = the N of `links.click_N`. */
  links: EmailLink[];
  /** First-level `contact.*` names that the templates read; null when any may be read. */
  contact_fields: string[] | null;
  context: EmailContext;
}

/** `error` keeps a send from starting; `warning` is shown and may be ignored. */
export interface CompileProblem {
  code: CompileProblemCode;
  severity: 'error' | 'warning';
  message: string;
  field?: 'subject' | 'preheader' | 'mjml' | 'from_name' | 'from_email' | 'reply_to';
  /** 1-based line in `field`. */
  line?: number;
  /** Name of the variable the problem is about, e.g. `contact.first_name`. */
  variable?: string;
  /** Host of the link that the problem is about, as in `URL.host`, if it is the same for all recipients. */
  host?: string;
  /** The number of affected recipients. */
  count?: EmptyCount;
}

export interface EmptyCount {
  /** Recipients with the problem. */
  empty: number;
  recipients: number;
  /** False if `empty` is a lower bound, because not all recipients were tried. */
  is_exact: boolean;
}

export const compileProblemCodes = [
  'mjml_invalid',
  'mjml_dropped',
  'mjml_unclosed',
  'mjml_include',
  'liquid_misplaced',
  'css_dropped',
  'liquid_invalid',
  'render_failed',
  'unsubscribe_link_missing',
  'unsubscribe_link_conditional',
  'link_not_allowed',
  'link_not_tracked',
  'link_signed',
  'link_not_on_web',
  'element_not_allowed',
  'image_not_https',
  'image_alt_missing',
  'contrast_low',
  'condition_empty',
  'link_not_https',
  'unescaped_contact_value',
  'rich_text_misplaced',
  'variable_unknown',
  'variable_empty',
  'variable_not_counted',
  'count_too_slow',
  'contacts_not_read',
  'recipients_not_built',
  'recipients_not_tried',
  'link_nowhere',
  'value_not_text',
  'subject_blank',
  'html_too_large',
  'html_large',
  'subject_empty',
  'sender_invalid',
  'item_not_chosen',
  'item_missing',
  'item_value_empty',
  'items_not_chosen',
  'items_value_empty',
  'items_too_large',
  'collection_unusable',
  'items_not_read',
  'sample_text',
  'sample_link',
  'sample_image',
  'tag_broken',
  'tag_foreign',
  'tag_not_a_value',
  'too_slow',
  'too_much_memory',
] as const;
export type CompileProblemCode = (typeof compileProblemCodes)[number];

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
