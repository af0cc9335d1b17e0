import { Anchor, Paper, Text } from '@mantine/core';
import type { WebsiteOverview, WebsiteTotals } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import classes from '#web/insight/statistics/tiles.module.css';
import { useMoney } from '#web/identity/organizations/use-money.ts';
import { ChangeText } from './change-text.tsx';

/** The totals of a website, each with the table that tells more. */
const tables = {
  visitors: 'country',
  sessions: 'referrer',
  page_views: 'path',
  events: 'event',
  conversions: 'goals',
} as const satisfies Partial<Record<keyof WebsiteTotals, string>>;

const tiles = ['visitors', 'sessions', 'page_views', 'events', 'conversions'] as const;

/** The totals of a period, each beside that of the previous period, with a link to its table. */
export function WebsiteTiles({ overview: { total, previous_total } }: { overview: WebsiteOverview }) {
  const { t } = useTranslation('websites');
  const format = useFormat();
  const money = useMoney();
  return (
    <section aria-label={t('statistics.tiles.label')}>
      <dl className={classes.tiles}>
        {tiles.map((tile) => (
          <Paper key={tile} withBorder p="md" radius="md" component="div">
            <Text component="dt" size="sm" c="dimmed">
              {t(`statistics.tiles.${tile}`)}
            </Text>
            <Text component="dd" m={0} className="key-metric">
              <Anchor href={`#${tables[tile]}`} inherit c="var(--mantine-color-text)">
                {format.number(total[tile])}
              </Anchor>
            </Text>
            {tile === 'conversions' && total.conversion_value > 0 && (
              <Text component="dd" m={0} size="xs">
                {t('statistics.tiles.value', { value: money(total.conversion_value) })}
              </Text>
            )}
            <Text component="dd" m={0} size="xs">
              <ChangeText now={total[tile]} before={previous_total[tile]} />
            </Text>
          </Paper>
        ))}
      </dl>
    </section>
  );
}
