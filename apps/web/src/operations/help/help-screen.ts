import type { HelpScreen } from '@reachout/contract/rules/help.ts';

/** The first that matches the path counts; paths of an organization are without `/o/ID`. */
const screens: readonly (readonly [path: RegExp, screen: HelpScreen])[] = [
  [/^\/me\/api-keys/, 'api-keys'],
  [/^\/(?:me|organizations|welcome)\b/, 'account'],
  [/^\/operator\b/, 'operator'],
  [/^\/?$/, 'dashboard'],
  [/^\/results/, 'statistics'],
  [/^\/calendar/, 'calendar'],
  [/^\/brands\/[^/]+\/(?:sign-up-forms|topics)/, 'consent'],
  [/^\/brands\/[^/]+\/campaigns/, 'campaigns'],
  [/^\/brands\/[^/]+\/touchpoints/, 'touchpoints'],
  [/^\/(?:clients|brands)/, 'clients'],
  [/^\/(?:campaigns|events)/, 'campaigns'],
  [/^\/touchpoints\/[^/]+\/(?:email|receipt)/, 'emails'],
  [/^\/touchpoints\/[^/]+\/sends/, 'sends'],
  [/^\/touchpoints\/[^/]+\/statistics/, 'statistics'],
  [/^\/touchpoints\/[^/]+\/overview/, 'websites'],
  [/^\/touchpoints/, 'touchpoints'],
  [/^\/emails/, 'emails'],
  [/^\/templates/, 'templates'],
  [/^\/audiences/, 'audiences'],
  [/^\/(?:sign-up-forms|suppressions|data-requests)/, 'consent'],
  [/^\/collections\/[^/]+\/import/, 'imports'],
  [/^\/(?:contacts|collections\/contacts)/, 'contacts'],
  [/^\/(?:collections|shares)/, 'collections'],
  [/^\/files/, 'files'],
  [/^\/domains/, 'domains'],
  [/^\/mailbox/, 'mailbox'],
  [/^\/settings\/(?:members|invitations|roles)/, 'members'],
  [/^\/settings\/content-backend/, 'content-backend'],
  [/^\/settings\/api-keys/, 'api-keys'],
  [/^\/settings/, 'settings'],
];

/** @returns the screen that a path shows, by which questions are chosen; undefined for paths of pages that have no help beside them */
export function helpScreenOf(pathname: string): HelpScreen | undefined {
  const path = pathname.replace(/^\/o\/[^/]+/, '');
  return screens.find(([pattern]) => pattern.test(path))?.[1];
}
