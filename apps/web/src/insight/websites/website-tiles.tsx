import { Anchor, Paper, SimpleGrid, Text } from '@mantine/core';
import type { WebsiteOverview, WebsiteTotals } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { changeOfCount } from '#web/insight/statistics/change.ts';
import { useMoney } from '#web/identity/organizations/use-money.ts';
import { QuietText } from '#web/ui/text.ts';

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
      <SimpleGrid component="dl" minColWidth="min(100%, 9rem)" autoFlow="auto-fit">
        {tiles.map((tile) => (
          <Paper key={tile} withBorder p="md" radius="md" component="div">
            <QuietText component="dt">{t(`statistics.tiles.${tile}`)}</QuietText>
            <Text component="dd" className="key-metric">
              <Anchor href={`#${tables[tile]}`} inherit c="var(--mantine-color-text)">
                {format.number(total[tile])}
              </Anchor>
            </Text>
            {tile === 'conversions' && total.conversions > 0 && (
              <Text component="dd" size="xs">
                {t('statistics.tiles.converted', { count: total.converted_visitors })}
              </Text>
            )}
            {tile === 'conversions' && total.conversion_value > 0 && (
              <Text component="dd" size="xs">
                {t('statistics.tiles.value', { value: money(total.conversion_value) })}
              </Text>
            )}
            <Text component="dd" size="xs">
              <ChangeText now={total[tile]} before={previous_total[tile]} />
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
    </section>
  );
}

const arrows = { more: '↑', less: '↓', same: '=' };
const colors = { more: 'var(--app-success)', less: 'var(--app-danger)', same: 'dimmed' };

/** How a count has changed since the previous period, in words and with its previous number. */
function ChangeText({ now, before }: { now: number; before: number }) {
  const { t } = useTranslation(['websites', 'common']);
  const format = useFormat();
  const { direction, amount, unit } = changeOfCount(now, before);
  const write = unit === 'ratio' ? format.percent : format.number;
  return (
    <>
      {before === 0 ? (
        t('common:none')
      ) : (
        <Text span inherit fw={500} c={colors[direction]}>
          <span aria-hidden>{arrows[direction]}</span>{' '}
          {direction === 'same'
            ? t('statistics.change.same')
            : t(`statistics.change.${direction}`, { amount: write(amount) })}
        </Text>
      )}{' '}
      <Text span inherit c="dimmed">
        {t('statistics.change.before', { number: format.number(before) })}
      </Text>
    </>
  );
}
