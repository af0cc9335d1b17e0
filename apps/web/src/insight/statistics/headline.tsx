import { Text } from '@mantine/core';
import type { EmailComparison, LinkClicks } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { findHeadline } from './find-headline.ts';
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
