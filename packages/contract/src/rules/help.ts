/** The languages of the product. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

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

/** Maximum number of characters of a page or an answer, in Markdown. */
export const maxHelpText = 20_000;
/** Maximum number of pages, of categories, and of the questions of a category. */
export const maxHelpEntries = 100;
