import { Paper, Text } from '@mantine/core';
import { measuredOf } from '@reachout/contract/rules/measured.ts';
import type { EmailStats } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { RecipientsLink, type CountedSend } from './recipients-link.tsx';
import { fewBelow } from './significance.ts';
import { useMoney } from '#web/identity/organizations/use-money.ts';
import { FinePrint, QuietText } from '#web/ui/text.ts';
import { useRate } from './use-rate.ts';
import classes from './tiles.module.css';

interface Props {
  stats: EmailStats;
  /** Of the period before, if these are the numbers of a period. */
  previous?: EmailStats | null | undefined;
  /** Whose recipients are the ones counted. */
  send: CountedSend | undefined;
}

/** Clicks come first; opens are labeled as an estimate. A rate without a base is shown as a dash. */
export function Tiles({ stats, previous, send }: Props) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const rate = useRate();
  const money = useMoney();
  const few = stats.delivered > 0 && stats.delivered < fewBelow ? t('tiles.fewData') : undefined;
  const notMeasured =
    stats.not_measured > 0
      ? t('tiles.notMeasured', { number: format.number(stats.not_measured) })
      : undefined;
  const measuresNobody = stats.not_measured > 0 && measuredOf(stats) === 0;
  const number = (value: number) => format.number(value);
  const botText = (value: number) => (value > 0 ? t('tiles.bots', { count: value }) : undefined);
  const rateOf = (of: EmailStats, what: 'clicked' | 'opened') => rate(of[what].unique, measuredOf(of));
  const reactions = (what: 'clicks' | 'opens', { unique, bots }: EmailStats['clicked']) => ({
    search: { reaction: what === 'clicks' ? 'clicked' : 'opened' } as const,
    valueOf: (of: EmailStats) => rateOf(of, what === 'clicks' ? 'clicked' : 'opened'),
    notes: measuresNobody
      ? [notMeasured]
      : [t(`tiles.${what}`, { count: unique }), botText(bots), few, notMeasured],
  });
  const conversionNotes = [
    t('tiles.ofMeasured', { rate: rate(stats.converted, measuredOf(stats)) }),
    stats.conversions > stats.converted
      ? t('tiles.allConversions', { number: number(stats.conversions) })
      : undefined,
    stats.conversion_value > 0
      ? t('tiles.conversionValue', { value: money(stats.conversion_value) })
      : undefined,
  ];
  const tiles = [
    {
      key: 'delivered',
      search: { state: 'sent' },
      valueOf: ({ delivered }: EmailStats) => number(delivered),
      notes: [t('tiles.ofAttempted', { number: stats.delivered + stats.bounced })],
    },
    { key: 'clickRate', ...reactions('clicks', stats.clicked) },
    { key: 'openRate', ...reactions('opens', stats.opened) },
    {
      key: 'converted',
      search: { reaction: 'converted' },
      valueOf: (of: EmailStats) =>
        of.not_measured > 0 && measuredOf(of) === 0 ? rate(0, 0) : number(of.converted),
      notes: measuresNobody ? [notMeasured] : conversionNotes,
    },
    {
      key: 'bounced',
      search: { state: 'bounced' },
      valueOf: ({ bounced }: EmailStats) => number(bounced),
      notes: [t('tiles.ofAttemptedRate', { rate: rate(stats.bounced, stats.delivered + stats.bounced) })],
    },
    {
      key: 'unsubscribed',
      search: { reaction: 'unsubscribed' },
      valueOf: ({ unsubscribed }: EmailStats) => number(unsubscribed),
      notes: [],
    },
    {
      key: 'complained',
      search: { reaction: 'complained' },
      valueOf: ({ complained }: EmailStats) => number(complained),
      notes: [t('tiles.ofAccepted', { rate: rate(stats.complained, stats.accepted) })],
    },
  ] as const;
  return (
    <section aria-label={t('tiles.label')}>
      <dl className={classes.tiles}>
        {tiles.map((tile) => (
          <Paper key={tile.key} withBorder p="sm" radius="md" component="div">
            <QuietText component="dt">{t(`tiles.${tile.key}`)}</QuietText>
            <Text component="dd" className="key-metric">
              <RecipientsLink send={send} search={tile.search} inherit c="var(--mantine-color-text)">
                {tile.valueOf(stats)}
              </RecipientsLink>
            </Text>
            {previous && (
              <Text component="dd" size="xs">
                {t('tiles.before', { before: tile.valueOf(previous) })}
              </Text>
            )}
            {tile.notes.filter(Boolean).map((note) => (
              <FinePrint key={note} component="dd">
                {note}
              </FinePrint>
            ))}
          </Paper>
        ))}
      </dl>
      <FinePrint mt="xs">
        {t('tiles.openHint')} {notMeasured !== undefined && t('tiles.notMeasuredHint')}
      </FinePrint>
    </section>
  );
}
