import { type Recurrence, type RecurrencePreset } from '@reachout/contract/rules/recurrence.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { wallTimeOf } from '#web/i18n/zoned-time.ts';
import { parseRule } from './plan.ts';

type Start = Omit<Recurrence, 'rrule'>;

const places = ['first', 'second', 'third', 'fourth'] as const;

/** Names of repetitions: "Every Tuesday", "Monthly on the last day". */
export function useRuleWords() {
  const { t } = useTranslation('schedules');
  const format = useFormat();

  /** @param start  the first occurrence, for the day of the week or month */
  const presetWords = (preset: RecurrencePreset, { start_date, time_zone }: Start): string => {
    const date = new Date(start_date);
    const weekday = new Intl.DateTimeFormat(format.locale, { weekday: 'long', timeZone: time_zone }).format(
      date,
    );
    const day = Number(wallTimeOf(date, time_zone).slice(8, 10));
    if (preset === 'weekly') return t('rules.weekly', { weekday });
    if (preset === 'monthly')
      return day > 30
        ? t('rules.monthlyLast')
        : t(day > 28 ? 'rules.monthlyOrLast' : 'rules.monthly', { day: String(day) });
    if (preset === 'monthly_weekday')
      return t(`rules.weekdayOfMonth.${places[Math.ceil(day / 7) - 1] ?? 'last'}`, { weekday });
    return t(`rules.${preset}`);
  };

  /** @param recurrence  from its next occurrence on */
  const ruleWords = (recurrence: Recurrence & { rrule: string }): string => {
    const { repeat, end, endDate, endCount = 0 } = parseRule(recurrence);
    if (repeat === 'once' || repeat === 'custom') return t('rules.customRule', { rule: recurrence.rrule });
    const rule = presetWords(repeat, recurrence);
    if (end === 'on') return t('rules.until', { rule, date: format.withoutZone(endDate) });
    return end === 'after' ? t('rules.times', { rule, count: endCount }) : rule;
  };

  return { presetWords, ruleWords };
}
