import { measuredOf } from '@reachout/contract/rules/measured.ts';
import type { EmailComparison, LinkClicks } from '@reachout/contract/statistics.ts';
import type { Rate } from './change.ts';
import { toLinkRows, type LinkRow } from './link-shares.ts';
import { judgeRates } from './significance.ts';

interface Headline {
  direction: 'more' | 'less';
  now: Rate;
  before: Rate;
  /** Number of the emails compared with. */
  emails: number;
  /** The most clicked link, if there is another one and enough people clicked. */
  link: LinkRow | undefined;
}

/** Below it, the share of a link is that of a few people. */
const fewClicks = 30;

/** How an email did beside the last ones of its brand; undefined if chance could have made the difference, or too few got it. */
export function findHeadline(
  { current, recent }: Pick<EmailComparison, 'current' | 'recent'>,
  links: readonly LinkClicks[],
): Headline | undefined {
  if (recent === null) return undefined;
  const now: Rate = [current.clicked, measuredOf(current)];
  const before: Rate = [recent.clicked, measuredOf(recent)];
  const verdict = judgeRates(now, before);
  if (verdict.kind !== 'clear' || verdict.direction === 'same') return undefined;
  const rows = toLinkRows(links);
  const clicks = rows.reduce((sum, { unique }) => sum + unique, 0);
  const link = rows.length > 1 && clicks >= fewClicks ? rows[0] : undefined;
  return { direction: verdict.direction, now, before, emails: recent.emails, link };
}
