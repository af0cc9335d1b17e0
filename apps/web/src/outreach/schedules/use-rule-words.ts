import { type Recurrence, type RecurrencePreset } from '@reachout/contract/rules/recurrence.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { wallTimeOf } from '#web/i18n/zoned-time.ts';
import { parseRule } from './plan.ts';

type Start = Omit<Recurrence, 'rrule'>;

/** A date of each weekday. */
const weekdayDates = {
  MO: '2024-01-01',
  TU: '2024-01-02',
  WE: '2024-01-03',
  TH: '2024-01-04',
  FR: '2024-01-05',
  SA: '2024-01-06',
  SU: '2024-01-07',
};
type Weekday = keyof typeof weekdayDates;

/** The weekdays of a rule that repeats on these each week, without an end; undefined for any other. */
const weekdaysOf = (rrule: string): Weekday[] | undefined => {
  const [, list] = /^FREQ=WEEKLY;BYDAY=([A-Z]{2}(?:,[A-Z]{2})*)$/.exec(rrule) ?? [];
  return list?.split(',').filter((day): day is Weekday => day in weekdayDates);
};

const places = ['first', 'second', 'third', 'fourth'] as const;

/** Names of repetitions: "Every Tuesday", "Monthly on the last day". */
export function useRuleWords() {
  const { t } = useTranslation('schedules');
  const format = useFormat();

  const nameOf = (date: string, timeZone: string): string =>
    new Intl.DateTimeFormat(format.locale, { weekday: 'long', timeZone }).format(new Date(date));

  /** @param start  the first occurrence, for the day of the week or month */
  const presetWords = (preset: RecurrencePreset, { start_date, time_zone }: Start): string => {
    const weekday = nameOf(start_date, time_zone);
    const day = Number(wallTimeOf(new Date(start_date), time_zone).slice(8, 10));
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
    if (repeat === 'once' || repeat === 'custom') {
      const weekdays = weekdaysOf(recurrence.rrule)?.map((day) => nameOf(weekdayDates[day], 'UTC'));
      return weekdays === undefined
        ? t('rules.customRule', { rule: recurrence.rrule })
        : t('rules.weekly', { weekday: format.list(weekdays) });
    }
    const rule = presetWords(repeat, recurrence);
    if (end === 'on') return t('rules.until', { rule, date: format.withoutZone(endDate) });
    return end === 'after' ? t('rules.times', { rule, count: endCount }) : rule;
  };

  return { presetWords, ruleWords };
}
