import { Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import type { Verdict } from './significance.ts';
import classes from './verdict-text.module.css';

/** Text, and for a clear difference an arrow, with a color that shows whether the change is good. */
export function VerdictText({ verdict, isBad = false }: { verdict: Verdict; isBad?: boolean | undefined }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  if (verdict.kind !== 'clear')
    return (
      <Text span size="sm" c="dimmed">
        {t(`comparison.${verdict.kind}`)}
      </Text>
    );
  const isMore = verdict.direction === 'more';
  const Arrow = isMore ? IconArrowUp : IconArrowDown;
  return (
    <Text
      span
      size="sm"
      fw={500}
      className={classes.verdict}
      c={isMore === isBad ? 'var(--app-danger)' : 'var(--app-success)'}
    >
      <Arrow size={14} stroke={2} aria-hidden />
      {t(isMore ? 'comparison.more' : 'comparison.less', { amount: format.decimal(verdict.amount) })}
    </Text>
  );
}
