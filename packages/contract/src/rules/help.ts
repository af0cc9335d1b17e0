/** The screens that the help knows, each the name of an area of the product; a question names those it is shown beside. */
export const helpScreens = [
  'dashboard',
  'clients',
  'campaigns',
  'touchpoints',
  'emails',
  'websites',
  'calendar',
  'sends',
  'statistics',
  'templates',
  'audiences',
  'contacts',
  'consent',
  'imports',
  'collections',
  'files',
  'domains',
  'mailbox',
  'settings',
  'members',
  'content-backend',
  'api-keys',
  'account',
  'operator',
] as const;
export type HelpScreen = (typeof helpScreens)[number];

/** Maximum number of characters of a page, in Markdown. */
export const maxHelpText = 20_000;
/** Maximum number of characters of an answer, in Markdown. */
export const maxAnswer = 5_000;
/** Maximum number of pages, and of categories. */
export const maxHelpEntries = 100;
/** Maximum number of questions in all categories together, which readers load at once. */
export const maxFaqs = 400;
