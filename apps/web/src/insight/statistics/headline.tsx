import { useFormat } from '#web/i18n/format.ts';
import { Text } from '@mantine/core';
import { measuredOf } from '@reachout/contract/rules/measured.ts';
import type { EmailComparison, LinkClicks } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import type { Rate } from './change.ts';
import { type LinkRow, toLinkRows } from './link-shares.ts';
import { judgeRates } from './significance.ts';
import { useRate } from './use-rate.ts';

interface Props {
  comparison: EmailComparison;
  links: readonly LinkClicks[];
}

/** One sentence about the email beside the last ones of its brand, where there is something to say. */
export function Headline({ comparison, links }: Props) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const rate = useRate();
  const found = findHeadline(comparison, links);
  if (found === undefined) return null;
  const { direction, now, before, emails: count, link } = found;
  return (
    <Text size="lg" fw={500} style={{ overflowWrap: 'anywhere' }}>
      {t(`headline.${direction}`, { count, now: rate(...now), before: rate(...before) })}{' '}
      {link && t('headline.link', { link: withoutScheme(link.url), share: format.percent(link.share) })}
    </Text>
  );
}

const withoutScheme = (url: string): string =>
  url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/[?#].*$/, '');

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
