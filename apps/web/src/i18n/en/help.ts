/** The help, for its readers; also for people who are not signed in. */
export const help = {
  intro: 'What users of Reachout ask, and pages that explain more.',
  search: 'Search the help',
  noMatch: 'Nothing in the help matches “{{search}}”.',
  found_one: '{{count}} match',
  found_other: '{{count}} matches',
  pages: 'Pages',
  questions: 'Questions',
  what: 'The help',
  empty: { title: 'No help yet', body: 'The operator of this installation has not published any.' },
  allPages: 'All pages of the help',
  back: 'Back to the help',
  englishOnly: 'This text is only available in English so far.',
  signIn: 'Sign in',
  legal: 'Legal information',
  panel: {
    close: 'Close the help',
    here: 'About this screen',
    none: 'There is nothing about this screen yet. Search the help, or open all of it.',
    all: 'Open the whole help',
    backToQuestions: 'Back to the questions',
  },
};
