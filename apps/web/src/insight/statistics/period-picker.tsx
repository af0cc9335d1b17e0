import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useTimeZone } from '#web/i18n/format.ts';
import { wallTimeOf } from '#web/i18n/zoned-time.ts';
import { periodPresets, rangeError, rangeText, readRange, type DayRange } from './period-choice.ts';

interface Props {
  /** In the format of the API, or one of `others`. */
  period: string;
  /** Periods of the page itself, before the presets. */
  others?: readonly { value: string; label: string }[];
  onChange: (period: string) => void;
}

const own = 'range';

/** Chooses a preset or a range of days. */
export function PeriodPicker({ period, others = [], onChange }: Props) {
  const { t } = useTranslation('statistics');
  const range = readRange(period);
  // The period at which it began, so that it ends with another one, such as that of the page before.
  const [enteringAt, setEnteringAt] = useState<string>();
  const isOwn = enteringAt === period || range !== undefined;
  return (
    <Group gap="xs" align="flex-start">
      <NativeSelect
        aria-label={t('period.label')}
        value={isOwn ? own : period}
        data={[
          ...others,
          ...periodPresets.map((value) => ({ value, label: t(`period.presets.${value}`) })),
          { value: own, label: t('period.own') },
        ]}
        onChange={({ currentTarget: { value } }) => {
          setEnteringAt(value === own ? period : undefined);
          if (value !== own) onChange(value);
        }}
      />
      {isOwn && (
        <RangeForm
          key={period}
          range={range}
          onChange={(next) => {
            setEnteringAt(undefined);
            onChange(next);
          }}
        />
      )}
    </Group>
  );
}

const monthMs = 29 * 86_400_000;

function RangeForm({ range, onChange }: Pick<Props, 'onChange'> & { range: DayRange | undefined }) {
  const { t } = useTranslation(['statistics', 'common']);
  const timeZone = useTimeZone();
  const [nowMs] = useState(Date.now);
  const dayOf = (ms: number) => wallTimeOf(new Date(ms), timeZone).slice(0, 10);
  const today = dayOf(nowMs);
  const [days, setDays] = useState<DayRange>(range ?? { from: dayOf(nowMs - monthMs), to: today });
  const [isSubmitted, setSubmitted] = useState(false);
  const error = rangeError(days, today);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSubmitted(true);
    if (error === undefined) onChange(rangeText(days));
    else event.currentTarget.querySelector<HTMLInputElement>(`[name=${error.field}]`)?.focus();
  };
  const field = (name: keyof DayRange) => (
    <TextInput
      type="date"
      name={name}
      aria-label={t(`period.${name}`)}
      value={days[name]}
      error={isSubmitted && error?.field === name && t(`period.${error.problem}`)}
      onChange={({ currentTarget: { value } }) => setDays({ ...days, [name]: value })}
    />
  );
  return (
    <form noValidate onSubmit={submit}>
      <Group gap="xs" align="flex-start">
        {field('from')}
        {field('to')}
        <Button type="submit">{t('period.apply')}</Button>
      </Group>
    </form>
  );
}
