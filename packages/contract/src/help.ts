import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { publicOperations, tooManyRecords, userOperations } from './operation.ts';
import { helpScreens, maxAnswer, maxFaqs, maxHelpEntries, maxHelpText } from './rules/help.ts';
import { languages } from './rules/languages.ts';
import { id, multiLine, name as title, singleLine, timestamp, timestampInput } from './values.ts';

const language = z.enum(languages);
/** Part of an address, the same in all languages. */
const slug = singleLine(60).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use small letters, digits and dashes.');

/** A page of the help. Where a text is missing in the wanted language, `locale` tells that it is English. */
export const HelpPage = z.object({
  id,
  name: z.string(),
  title: z.string(),
  /** Markdown. */
  content: z.string(),
  position: z.number(),
  locale: language,
});
export type HelpPage = z.infer<typeof HelpPage>;

export const Faq = z.object({
  id,
  name: z.string(),
  /** The question. */
  title: z.string(),
  /** The answer, in Markdown. */
  content: z.string(),
  is_draft: z.boolean(),
  language,
  screens: z.array(z.enum(helpScreens)),
});
export type Faq = z.infer<typeof Faq>;

export const FaqCategory = z.object({
  id,
  name: z.string(),
  title: z.string(),
  description: z.string(),
  language,
  position: z.number(),
  faqs: z.array(Faq),
});
export type FaqCategory = z.infer<typeof FaqCategory>;

const forAnybody = publicOperations('Help');
const locale = language.default('en');

/** The help of the installation, for everybody. Drafts are left out. */
export const help = {
  pages: forAnybody('GET /contents', 'The pages of the help in a language, in their order')
    .input({ locale })
    .output(z.array(HelpPage)),
  faqCategories: forAnybody('GET /faq_categories', 'Questions and answers in a language, by category')
    .input({ locale })
    .output(z.array(FaqCategory)),
};

const textOf = (max: number) =>
  z.strictObject({
    title,
    content: multiLine(max).pipe(z.string().regex(/\S/, 'Enter a text.')),
    is_draft: z.boolean(),
  });
const PageText = textOf(maxHelpText);
export type PageText = z.infer<typeof PageText>;
const Answer = textOf(maxAnswer);
const CategoryText = z.strictObject({ title, description: multiLine(500) });
export type CategoryText = z.infer<typeof CategoryText>;

const inBoth = <T extends z.ZodType>(schema: T) => ({ en: schema, de: schema.nullable() });

const edited = {
  name: z.string(),
  /** The latest change of any of its texts by an operator; null if it is as released. */
  updated_at: timestamp.nullable(),
  /** Whether this version has one of the same name, which is shown again when the operators' one is deleted. */
  is_released: z.boolean(),
};

/** A page with its texts in both languages; English is always there. */
export const EditedPage = z.object({
  ...edited,
  position: z.number(),
  ...inBoth(PageText),
});
export type EditedPage = z.infer<typeof EditedPage>;

export const EditedFaq = z.object({
  ...edited,
  screens: z.array(z.enum(helpScreens)),
  ...inBoth(Answer),
});
export type EditedFaq = z.infer<typeof EditedFaq>;

export const EditedFaqCategory = z.object({
  ...edited,
  ...inBoth(CategoryText),
  faqs: z.array(EditedFaq),
});
export type EditedFaqCategory = z.infer<typeof EditedFaqCategory>;

const forOperators = userOperations('Operators');
/** The tables are written by the role of sign-in, in a transaction of its own. */
const change = (route: `${'PUT' | 'DELETE'} /${string}`, summary: string) =>
  forOperators(route, summary, { manualTransaction: true });
/** The `updated_at` that the editor has read; null for a new or released entry. Another change since then is a conflict. */
const if_updated_at = timestampInput.nullable();
const orderOf = (max: number) => z.strictObject({ names: z.array(slug).max(max) });
const Order = orderOf(maxHelpEntries);
const changes = pickErrors('changed_elsewhere');
const creates = { ...changes, ...tooManyRecords };
const Saved = z.object({ name: z.string(), updated_at: timestamp });
const Named = z.object({ name: z.string() });

/** For operators: the help with its drafts, in both languages. */
export const editedHelp = {
  pages: forOperators(
    'GET /operator/contents',
    'The pages of the help in both languages, with drafts',
  ).output(z.array(EditedPage)),
  savePage: change('PUT /operator/contents/{name}', 'Create or change a page of the help')
    .input({ name: slug, if_updated_at, ...inBoth(PageText) })
    .errors(creates)
    .output(Saved),
  deletePage: change(
    'DELETE /operator/contents/{name}',
    'Delete what operators have written of a page of the help',
  )
    .input({ name: slug })
    .output(Named),
  orderPages: change('PUT /operator/contents', 'Put the pages of the help in an order')
    .input(Order)
    .errors(changes)
    .output(Order),
  faqCategories: forOperators(
    'GET /operator/faq_categories',
    'Categories and questions in both languages, with drafts',
  ).output(z.array(EditedFaqCategory)),
  saveFaqCategory: change('PUT /operator/faq_categories/{name}', 'Create or change a category of questions')
    .input({ name: slug, if_updated_at, ...inBoth(CategoryText) })
    .errors(creates)
    .output(Saved),
  deleteFaqCategory: change(
    'DELETE /operator/faq_categories/{name}',
    'Delete what operators have written of a category, with its questions unless it is released',
  )
    .input({ name: slug })
    .output(Named),
  orderFaqCategories: change('PUT /operator/faq_categories', 'Put the categories in an order')
    .input(Order)
    .errors(changes)
    .output(Order),
  saveFaq: change(
    'PUT /operator/faq_categories/{category}/faqs/{name}',
    'Create or change a question with its answer',
  )
    .input({
      category: slug,
      name: slug,
      if_updated_at,
      screens: z.array(z.enum(helpScreens)).max(helpScreens.length),
      ...inBoth(Answer),
    })
    .errors(creates)
    .output(Saved),
  deleteFaq: change(
    'DELETE /operator/faq_categories/{category}/faqs/{name}',
    'Delete what operators have written of a question with its answer',
  )
    .input({ category: slug, name: slug })
    .output(Named),
  orderFaqs: change(
    'PUT /operator/faq_categories/{category}/faqs',
    'Put the questions of a category in an order',
  )
    .input(orderOf(maxFaqs).extend({ category: slug }))
    .errors(changes)
    .output(orderOf(maxFaqs)),
};
