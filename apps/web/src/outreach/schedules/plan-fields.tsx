import {
  Box,
  Button,
  Group,
  NumberInput,
  Paper,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { presetRule, recurrencePresets } from '@reachout/contract/rules/recurrence.ts';
import { IconCalendarEvent, IconClockExclamation } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { cityOf, useDistance, usePlannedTime } from '#web/i18n/planned-time.ts';
import { instantOf, wallTimeOf } from '#web/i18n/zoned-time.ts';
import { useNow } from '#web/ui/use-now.ts';
import { readChoice } from '#web/platform/list-search.ts';
import { isProblem } from '#web/platform/problem.ts';
import { isPlanned, planEnds, type Plan, type Planned, type PlanProblem, type PlanValues } from './plan.ts';
import classes from './plan-fields.module.css';
import { TimeZoneSelect } from './time-zone-select.tsx';
import { useRuleWords } from './use-rule-words.ts';

/** The current time in ms, updated with every minute. */
export const useMinute = (): number => Math.floor(useNow(true) / 60_000) * 60_000;

const fieldNames = { date: 'start_date', rrule: 'rrule', time_zone: 'time_zone' } as const;

/** Whether an error is shown at the fields. */
export const isFieldProblem = (error: unknown): boolean =>
  isProblem(error) &&
  error.fields.some(({ path }) => Object.values(fieldNames).some((name) => name === path));

interface Props {
  values: PlanValues;
  plan: Plan;
  onChange: (values: PlanValues) => void;
  /** The current time in ms, by which the plan was read. */
  now: number;
  /** The rejected request. */
  error: unknown;
}

/** Date, time and time zone of a schedule, how it repeats, and what comes of it. */
export function PlanFields({ values, plan, onChange, now, error }: Props) {
  const { t } = useTranslation('schedules');
  const change = (changes: Partial<PlanValues>) => onChange({ ...values, ...changes });
  const text = useFieldError(plan, error);
  const today = wallTimeOf(new Date(now), values.timeZone).slice(0, 10);
  return (
    <Stack gap="sm">
      <div className={classes.when}>
        <TextInput
          type="date"
          label={t('date')}
          min={today}
          value={values.date}
          error={text('date')}
          onChange={(event) => change({ date: event.currentTarget.value, hour: undefined })}
        />
        <TextInput
          type="time"
          label={t('time')}
          value={values.time}
          error={text('time')}
          onChange={(event) => change({ time: event.currentTarget.value, hour: undefined })}
        />
        <TimeZoneSelect
          className={classes.zone ?? ''}
          label={t('words.timeZone')}
          day={values.date === '' ? today : values.date}
          value={values.timeZone}
          error={text('time_zone')}
          onChange={(timeZone) => change({ timeZone, hour: undefined })}
        />
      </div>
      {values.repeat !== 'once' && <RepeatFields values={values} today={today} change={change} text={text} />}
      <ClockChange plan={plan} values={values} change={change} />
      {isPlanned(plan) && <Outcome plan={plan} now={now} />}
    </Stack>
  );
}

type FieldName = PlanProblem['field'] | 'time_zone';

/** @returns the message of a field: of what is wrong with the values, or else of the server */
function useFieldError(plan: Plan, error: unknown): (field: FieldName) => string | undefined {
  const { t } = useTranslation('schedules');
  const rejected = isProblem(error) ? error.fields : [];
  return (field) => {
    const problem = isPlanned(plan) || plan.field !== field ? undefined : plan;
    // Offers a choice below the fields instead.
    if (problem?.problem === 'skipped' || problem?.problem === 'twice') return undefined;
    if (problem?.problem === 'missing') return t(`problem.missing.${problem.field}`);
    if (problem?.problem === 'rule')
      return t(`problem.rule.${problem.rule.problem}`, { other: '', ...problem.rule });
    if (problem !== undefined) return t(`problem.${problem.problem}`);
    const path = field in fieldNames ? fieldNames[field as keyof typeof fieldNames] : undefined;
    return rejected.find((one) => one.path === path)?.message;
  };
}

interface RepeatProps {
  values: PlanValues;
  /** `2027-03-09`, in the time zone of the schedule. */
  today: string;
  change: (changes: Partial<PlanValues>) => void;
  text: (field: FieldName) => string | undefined;
}

const choices = [...recurrencePresets, 'custom'] as const;
const dayMs = 86_400_000;

function RepeatFields({ values, today, change, text }: RepeatProps) {
  const { t } = useTranslation('schedules');
  const { presetWords } = useRuleWords();
  const { date, time, timeZone, repeat } = values;
  // Until the date is complete, the names are those of today.
  const start_date = instantOf(`${date || today}T${time || '00:00'}`, timeZone)!.toISOString();
  const start = { start_date, time_zone: timeZone };
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label={t('repeat')}
          allowDeselect={false}
          value={repeat}
          data={choices.map((value) => ({
            value,
            label: value === 'custom' ? t('rules.custom') : presetWords(value, start),
          }))}
          onChange={(next) => {
            const chosen = readChoice(next, choices);
            if (chosen === undefined) return;
            // The rule so far is the start of a custom one.
            const isToEdit = chosen === 'custom' && repeat !== 'once' && repeat !== 'custom';
            change({ repeat: chosen, ...(isToEdit ? { rrule: presetRule(repeat, start) } : {}) });
          }}
        />
        {repeat !== 'custom' && (
          <Select
            label={t('ends')}
            allowDeselect={false}
            value={values.end}
            data={planEnds.map((value) => ({ value, label: t(`end.${value}`) }))}
            onChange={(next) => {
              const end = readChoice(next, planEnds);
              if (end === undefined) return;
              const quarter = new Date(Date.parse(start_date) + 91 * dayMs);
              change({
                end,
                ...(end === 'on' && values.endDate === ''
                  ? { endDate: wallTimeOf(quarter, timeZone).slice(0, 10) }
                  : {}),
                ...(end === 'after' && values.endCount === undefined ? { endCount: 10 } : {}),
              });
            }}
          />
        )}
        {repeat === 'custom' && (
          <TextInput
            label={t('rule')}
            description={t('ruleHint')}
            spellCheck={false}
            autoCapitalize="characters"
            value={values.rrule}
            error={text('rrule')}
            onChange={(event) => change({ rrule: event.currentTarget.value })}
          />
        )}
        {repeat !== 'custom' && values.end === 'on' && (
          <TextInput
            type="date"
            label={t('lastDay')}
            min={date}
            className={classes.end}
            value={values.endDate}
            error={text('endDate')}
            onChange={(event) => change({ endDate: event.currentTarget.value })}
          />
        )}
        {repeat !== 'custom' && values.end === 'after' && (
          <NumberInput
            label={t('times')}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            className={classes.end}
            value={values.endCount ?? ''}
            error={text('endCount')}
            onChange={(next) => change({ endCount: typeof next === 'number' ? next : undefined })}
          />
        )}
      </SimpleGrid>
      {repeat !== 'custom' && text('rrule') !== undefined && (
        <Text size="sm" role="alert" c="var(--app-danger)">
          {text('rrule')}
        </Text>
      )}
    </>
  );
}

/** Occurrences that are listed one by one. */
const listed = 4;

function Outcome({ plan, now }: { plan: Planned; now: number }) {
  const { t } = useTranslation('schedules');
  const plannedTime = usePlannedTime();
  const distance = useDistance();
  const [first = plan.start_date, ...others] = plan.occurrences;
  const rest = others.length - listed;
  return (
    <Paper className={classes.outcome} p="sm" radius="sm" role="status">
      <Group gap={8} wrap="nowrap" align="flex-start">
        <IconCalendarEvent size={18} aria-hidden className={classes.icon} />
        <div>
          <Text fw={500} size="sm">
            {t('when', { time: plannedTime(first, plan.time_zone), relative: distance(first, now) })}
          </Text>
          {others.length > 0 && (
            <Box
              component="ul"
              fz="sm"
              c="dimmed"
              mt={4}
              className={`bare ${classes.occurrences}`}
              aria-label={t('next')}
            >
              {others.slice(0, listed).map((at) => (
                <li key={at}>{plannedTime(at, plan.time_zone)}</li>
              ))}
              {rest > 0 && <li>{t('more', { count: rest })}</li>}
            </Box>
          )}
        </div>
      </Group>
    </Paper>
  );
}

interface ClockChangeProps {
  plan: Plan;
  values: PlanValues;
  change: (changes: Partial<PlanValues>) => void;
}

/** The choice at a time that the clock skips, or shows twice. */
function ClockChange({ plan, values, change }: ClockChangeProps) {
  const { t } = useTranslation('schedules');
  const { locale } = useFormat();
  const { timeZone } = values;
  const skipped = !isPlanned(plan) && plan.problem === 'skipped' ? plan : undefined;
  const twice = isPlanned(plan) ? plan.twice : plan.problem === 'twice' ? plan : undefined;
  const write = (at: string, parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', ...parts, timeZone }).format(
      new Date(at),
    );
  const city = cityOf(timeZone);
  if (skipped === undefined && twice === undefined) return null;
  return (
    <Paper className={classes.outcome} data-tone="warning" p="sm" radius="sm" role="alert">
      <Group gap={8} wrap="nowrap" align="flex-start">
        <IconClockExclamation size={18} aria-hidden className={classes.icon} />
        {skipped && (
          <Stack gap={8} align="flex-start">
            <Text size="sm">{t('problem.skipped', { city, time: write(skipped.at, {}) })}</Text>
            <Button
              size="xs"
              onClick={() => {
                const wallTime = wallTimeOf(skipped.at, timeZone);
                change({ date: wallTime.slice(0, 10), time: wallTime.slice(11, 16) });
              }}
            >
              {t('problem.useNext', { time: write(skipped.at, {}) })}
            </Button>
          </Stack>
        )}
        {twice && (
          <Radio.Group
            label={t('problem.twice', { city })}
            value={values.hour ?? ''}
            onChange={(hour) => change({ hour: readChoice(hour, ['first', 'second']) })}
          >
            <Stack gap={8} mt={8}>
              {(['first', 'second'] as const).map((hour) => (
                <Radio
                  key={hour}
                  value={hour}
                  label={t(`problem.${hour}`, {
                    time: write(hour === 'first' ? twice.at : twice.later, { timeZoneName: 'short' }),
                  })}
                />
              ))}
            </Stack>
          </Radio.Group>
        )}
      </Group>
    </Paper>
  );
}
