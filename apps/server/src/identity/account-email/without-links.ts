import { cutText } from '@reachout/contract/rules/cut-text.ts';

/**
 * @returns a name for an email to strangers, in a form that no mail program turns into a link: without schemes, and
 *   with a space after each dot
 */
export const withoutLinks = (name: string): string =>
  cutText(
    name
      .normalize('NFKC')
      .replaceAll(/[a-z][a-z0-9+.-]*:\/*/gi, '')
      .replaceAll(/[.。｡](?=\S)/g, '. ')
      .replaceAll('@', ' at '),
    80,
  );
