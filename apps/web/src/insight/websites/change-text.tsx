import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { changeOfCount } from '#web/insight/statistics/change.ts';

const arrows = { more: '↑', less: '↓', same: '=' };
const colors = { more: 'var(--app-success)', less: 'var(--app-danger)', same: 'dimmed' };

/** How a count has changed since the previous period, in words and with its previous number. */
export function ChangeText({ now, before }: { now: number; before: number }) {
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
