import { Checkbox, Select, Stack, Text, TextInput } from '@mantine/core';
import type { Schedule } from '@reachout/contract/schedules.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { usePlannedTime } from '#web/i18n/planned-time.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useSettled } from '#web/ui/debounce.ts';
import { QuietText } from '#web/ui/text.ts';
import type { Planned } from './plan.ts';
import classes from './plan-fields.module.css';

/** When the messages of a send start. */
export type SendTimes = Pick<
  Schedule,
  'contact_time_zones' | 'spread_minutes' | 'window_start' | 'window_end'
>;

export const together: SendTimes = {
  contact_time_zones: false,
  spread_minutes: null,
  window_start: null,
  window_end: null,
};

const isTogether = (values: SendTimes): boolean =>
  !values.contact_time_zones && values.spread_minutes === null && values.window_start === null;

/** Whether both ends of the daily window are given, or none. */
export const isComplete = ({ window_start: start, window_end: end }: SendTimes): boolean =>
  start === null || end === null ? start === end : start !== end;

const spreads = [60, 120, 240, 480, 1_440];

interface Props {
  touchpointId: string;
  plan: Planned | undefined;
  values: SendTimes;
  onChange: (values: SendTimes) => void;
}

/** Spreads the messages of a send over time, and over the time zones of the contacts. */
export function SendTimesFields({ touchpointId, plan, values, onChange }: Props) {
  const { t } = useTranslation('schedules');
  // Most sends start together; choices that were made stay in sight.
  const [isOpen, setIsOpen] = useState(!isTogether(values));
  const change = (changes: Partial<SendTimes>) => onChange({ ...values, ...changes });
  const { spread_minutes: spread } = values;
  const known = spread === null || spreads.includes(spread) ? spreads : [...spreads, spread];
  const window = (side: 'window_start' | 'window_end') => (
    <TextInput
      type="time"
      label={t(`delivery.${side}`)}
      value={values[side]?.slice(0, 5) ?? ''}
      error={side === 'window_end' && !isComplete(values) ? t('delivery.windowProblem') : undefined}
      onChange={(event) => change({ [side]: event.currentTarget.value || null })}
    />
  );
  return (
    <details
      className={classes.delivery}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>{t('delivery.title')}</summary>
      <Stack gap="sm" mt="sm">
        <Checkbox
          label={t('delivery.ownZones')}
          description={t('delivery.ownZonesHint')}
          checked={values.contact_time_zones}
          onChange={(event) => change({ contact_time_zones: event.currentTarget.checked })}
        />
        <div className={classes.when}>
          <Select
            label={t('delivery.spread')}
            clearable
            placeholder={t('delivery.noSpread')}
            value={spread === null ? null : String(spread)}
            onChange={(value) => change({ spread_minutes: value === null ? null : Number(value) })}
            data={known.map((minutes) => ({
              value: String(minutes),
              label:
                minutes % 60 === 0
                  ? t('delivery.hours', { count: minutes / 60 })
                  : t('delivery.minutes', { count: minutes }),
            }))}
          />
          {window('window_start')}
          {window('window_end')}
        </div>
        {plan !== undefined && isComplete(values) && (
          <Outcome touchpointId={touchpointId} plan={plan} values={values} />
        )}
      </Stack>
    </details>
  );
}

/** What comes of the choices, with the present audience. */
function Outcome({ touchpointId, plan, values }: { touchpointId: string; plan: Planned; values: SendTimes }) {
  const { t } = useTranslation('schedules');
  const { api } = useOrganization();
  const format = useFormat();
  const plannedTime = usePlannedTime();
  const { start_date, time_zone } = plan;
  const input = useSettled({ id: touchpointId, start_date, time_zone, ...values });
  const { data } = useQuery({
    ...api.schedules.preview.queryOptions({ input, enabled: !isTogether(values) }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (isTogether(values) || data === undefined) return null;
  const { first_at, last_at, recipients, quiet_hours: quiet } = data;
  const numbers = recipients ?? { count: 0, past: 0, without_zone: 0, zones: [], zones_more: 0 };
  return (
    <Stack gap={2} role="status">
      <Text size="sm">
        {t('delivery.span', {
          first: plannedTime(first_at, time_zone),
          last: plannedTime(last_at, time_zone),
        })}
      </Text>
      {numbers.zones.length > 1 && (
        <QuietText>
          {format.list(numbers.zones.map((zone) => `${zone.time_zone} (${format.number(zone.count)})`))}
          {numbers.zones_more > 0 && ` ${t('more', { count: numbers.zones_more })}`}
        </QuietText>
      )}
      {numbers.without_zone > 0 && (
        <QuietText>
          {t('delivery.withoutZone', {
            count: numbers.without_zone,
            number: format.number(numbers.without_zone),
          })}
        </QuietText>
      )}
      {numbers.past > 0 && (
        <Text size="sm" fw={600}>
          {t('delivery.past', { count: numbers.past, number: format.number(numbers.past) })}
        </Text>
      )}
      {quiet !== null && (
        <QuietText>
          {t('delivery.quiet', { start: quiet.start.slice(0, 5), end: quiet.end.slice(0, 5) })}
        </QuietText>
      )}
    </Stack>
  );
}
