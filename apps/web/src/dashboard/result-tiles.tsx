import { Text } from '@mantine/core';
import type { DashboardResults, Results } from '@reachout/contract/dashboard.ts';
import type { ResultColumn } from '@reachout/contract/rules/dashboard.ts';
import { measuredOf } from '@reachout/contract/rules/measured.ts';
import type { DashboardPeriod } from '@reachout/contract/rules/dashboard.ts';
import { IconArrowDown, IconArrowUp, IconMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { fewBelow } from '#web/insight/statistics/significance.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { changeOfCount, changeOfRate, type Change } from '#web/insight/statistics/change.ts';
import { useRate } from '#web/insight/statistics/use-rate.ts';
import { FinePrint, QuietText } from '#web/ui/text.ts';
import { Sparkline } from './sparkline.tsx';
import classes from './results.module.css';

interface Tile {
  name: 'delivered' | 'clickRate' | 'openRate' | 'converted' | 'optOuts';
  value: string;
  /** Shown beside the value: what it consists of. */
  note: string;
  change: Change | undefined;
  /** Whether an increase is bad. */
  isBad?: boolean;
  before: string;
  values: number[];
  color: string;
}

/** Column of the emails behind a tile. */
const columnOf = {
  delivered: 'delivered',
  clickRate: 'clicked',
  openRate: 'opened',
  converted: 'converted',
  optOuts: 'unsubscribed',
} as const satisfies Record<Tile['name'], ResultColumn>;

/** Delivered comes first; clicks come before opens, which are labeled as an estimate. Each number links to its emails. */
export function ResultTiles({ results, period }: { results: DashboardResults; period: DashboardPeriod }) {
  const { t } = useTranslation('dashboard');
  const { orgId } = useOrganization();
  const tiles = useTiles(results);
  return (
    <dl className={classes.tiles}>
      {tiles.map((tile, index) => (
        <div key={tile.name} className={classes.tile} data-hero={index === 0 || undefined}>
          <QuietText component="dt">{t(`results.${tile.name}`)}</QuietText>
          <dd className={classes.figure}>
            <LinkAnchor
              to="/o/$orgId/results"
              params={{ orgId }}
              search={{ period, order: `${columnOf[tile.name]}.desc` }}
              inherit
              c="var(--mantine-color-text)"
            >
              {tile.value}
            </LinkAnchor>
          </dd>
          <dd className={classes.notes}>
            <ChangeText {...tile} />
            <FinePrint span>{tile.note}</FinePrint>
          </dd>
          <dd className={classes.course}>
            <Sparkline values={tile.values} color={tile.color} height={index === 0 ? 88 : 40} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function useTiles({ total, previous_total: previous, rows }: DashboardResults): Tile[] {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const rate = useRate();
  const courseOf = (key: keyof Results) => rows.map((row) => row[key]);
  const few = total.delivered > 0 && total.delivered < fewBelow ? t('results.fewData') : undefined;
  const rateTile = (key: 'clicked' | 'opened') => ({
    value: rate(total[key], measuredOf(total)),
    change: changeOfRate([total[key], measuredOf(total)], [previous[key], measuredOf(previous)]),
    before: rate(previous[key], measuredOf(previous)),
    values: courseOf(key),
  });
  const clicks = t('results.clicks', { count: total.clicked, number: format.number(total.clicked) });
  const opens = t('results.opens', { count: total.opened, number: format.number(total.opened) });
  const withNotMeasured = (note: string) =>
    total.not_measured === 0
      ? note
      : `${note} · ${t('results.notMeasured', { number: format.number(total.not_measured) })}`;
  return [
    {
      name: 'delivered',
      value: format.number(total.delivered),
      note: t('results.bounced', { count: total.bounced, number: format.number(total.bounced) }),
      change: changeOfCount(total.delivered, previous.delivered),
      before: format.number(previous.delivered),
      values: courseOf('delivered'),
      color: '--chart-delivered',
    },
    {
      name: 'clickRate',
      ...rateTile('clicked'),
      note: withNotMeasured(few ?? clicks),
      color: '--chart-clicked',
    },
    { name: 'openRate', ...rateTile('opened'), note: withNotMeasured(few ?? opens), color: '--chart-opened' },
    {
      name: 'converted',
      value: format.number(total.converted),
      note: t('results.ofMeasured', { rate: rate(total.converted, measuredOf(total)) }),
      change: changeOfCount(total.converted, previous.converted),
      before: format.number(previous.converted),
      values: courseOf('converted'),
      color: '--chart-converted',
    },
    {
      name: 'optOuts',
      value: format.number(total.unsubscribed),
      note: t(total.complained > 0 ? 'results.ofDeliveredAndComplaints' : 'results.ofDelivered', {
        rate: rate(total.unsubscribed, total.delivered),
        number: format.number(total.complained),
      }),
      change: changeOfCount(total.unsubscribed, previous.unsubscribed),
      isBad: true,
      before: format.number(previous.unsubscribed),
      values: courseOf('unsubscribed'),
      color: '--chart-complained',
    },
  ];
}

const arrows = { more: IconArrowUp, less: IconArrowDown, same: IconMinus };

/** Arrow, text and previous value, with a color that shows whether the change is good. */
function ChangeText({ change, isBad = false, before }: Tile) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  if (change === undefined) return <FinePrint span>{t('results.change.unknown', { before })}</FinePrint>;
  const { direction, amount, unit } = change;
  const Arrow = arrows[direction];
  const isGood = (direction === 'more') !== isBad;
  const amounts = { points: format.decimal, ratio: format.percent, count: format.number };
  const words =
    direction === 'same'
      ? t('results.change.same')
      : t(`results.change.${direction}.${unit}`, { amount: amounts[unit](amount) });
  return (
    <span className={classes.change}>
      <Text
        span
        size="xs"
        fw={500}
        className={classes.direction}
        c={direction === 'same' ? 'dimmed' : isGood ? 'var(--app-success)' : 'var(--app-danger)'}
      >
        <Arrow size={14} className="thick-icon" aria-hidden />
        {words}
      </Text>
      <FinePrint span>{t('results.change.before', { before })}</FinePrint>
    </span>
  );
}
