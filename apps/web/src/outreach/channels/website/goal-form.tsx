import { Autocomplete, NumberInput, Text } from '@mantine/core';
import {
  defaultWindowDays,
  maxEventNameLength,
  maxGoalValue,
  maxWindowDays,
} from '@reachout/contract/rules/conversions.ts';
import type { ConversionGoal } from '@reachout/contract/websites.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { currentTimeZone } from '#web/platform/preferences.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';

interface Props {
  /** Undefined for a new goal. */
  goal?: ConversionGoal;
  /** The goals of the website, whose events are not suggested. */
  taken?: readonly ConversionGoal[];
  onClose: () => void;
}

/** Creates or changes a goal. Mount it to open it. */
export function GoalForm({ goal, taken = [], onClose }: Props) {
  const { t } = useTranslation(['conversions', 'common']);
  const format = useFormat();
  const { api, organization } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const create = useMutation(api.websites.createGoal.mutationOptions());
  const update = useMutation(api.websites.updateGoal.mutationOptions());
  const seen = useSeenEvents(goal === undefined);
  const form = useServerForm<{ event: string; value: number | string; window_days: number | string }>({
    initial: {
      event: goal?.event ?? '',
      value: goal?.value ?? '',
      window_days: goal?.window_days ?? defaultWindowDays,
    },
    limits: { event: maxEventNameLength },
    checks: {
      event: (event) => (event.trim() === '' ? t('goals.eventMissing') : null),
      value: (value) =>
        value === '' || isValue(Number(value))
          ? null
          : t('goals.valueRange', { max: format.number(maxGoalValue) }),
      window_days: (days) =>
        days !== '' && Number.isInteger(Number(days)) && Number(days) >= 1 && Number(days) <= maxWindowDays
          ? null
          : t('goals.windowRange', { min: 1, max: maxWindowDays }),
    },
    fieldOfCode: { goal_exists: 'event' },
    submit: async ({ event, value, window_days }) => {
      const terms = { value: value === '' ? null : Number(value), window_days: Number(window_days) };
      await (goal === undefined
        ? create.mutateAsync({ id: touchpoint.id, event: event.trim(), ...terms })
        : update.mutateAsync({ id: touchpoint.id, goal_id: goal.id, ...terms }));
      notify(t(goal === undefined ? 'goals.added' : 'goals.saved'));
      onClose();
    },
  });
  const { getInputProps } = form.fields;
  return (
    <FormDrawer
      opened
      onClose={onClose}
      title={goal === undefined ? t('goals.add') : goal.event}
      form={form}
      submitLabel={goal === undefined ? t('goals.add') : t('common:actions.save')}
    >
      {goal === undefined && (
        <Autocomplete
          data-autofocus
          autoComplete="off"
          label={t('goals.event')}
          description={t('goals.eventHint')}
          data={seen.filter((event) => !taken.some((other) => other.event === event))}
          {...getInputProps('event')}
        />
      )}
      <NumberInput
        {...(goal === undefined ? {} : { 'data-autofocus': true })}
        label={`${t('goals.value')} ${t('common:optional')}`}
        description={t('goals.valueHint', { currency: organization.currency })}
        min={0}
        max={maxGoalValue}
        clampBehavior="none"
        decimalSeparator={separatorOf(format.locale)}
        {...getInputProps('value')}
      />
      <NumberInput
        label={t('goals.window')}
        description={t('goals.windowHint')}
        min={1}
        max={maxWindowDays}
        clampBehavior="none"
        allowDecimal={false}
        {...getInputProps('window_days')}
      />
      {goal !== undefined && (
        <Text size="sm" c="dimmed">
          {t('goals.later')}
        </Text>
      )}
    </FormDrawer>
  );
}

/** At most two decimals. */
const isValue = (value: number): boolean =>
  value >= 0 && value <= maxGoalValue && Number(value.toFixed(2)) === value;

const separatorOf = (locale: string): string =>
  new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/** Names of the events of the last 90 days, the most frequent first; none for those who cannot read statistics. */
function useSeenEvents(isNeeded: boolean): string[] {
  const { api, orgId, can } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const { data } = useQuery({
    ...api.statistics.websiteBreakdown.queryOptions({
      input: {
        organization_id: orgId,
        touchpoint: touchpoint.id,
        time_zone: currentTimeZone(),
        period: '90day',
        dimension: 'event',
        limit: 100,
      },
      meta: { quiet: true },
    }),
    enabled: isNeeded && can('read', 'Statistics'),
  });
  return data?.data.rows.flatMap(({ value, is_other }) => (is_other || value === '' ? [] : [value])) ?? [];
}
