import { Autocomplete } from '@mantine/core';
import type { ConversionGoal } from '@reachout/contract/websites.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { currentTimeZone } from '#web/platform/preferences.ts';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { QuietText } from '#web/ui/text.ts';
import { useRecordForm } from '#web/ui/use-record-form.ts';

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
  const { api, organization } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const create = useMutation(api.websites.createGoal.mutationOptions());
  const update = useMutation(api.websites.updateGoal.mutationOptions());
  const seen = useSeenEvents(goal === undefined);
  const form = useRecordForm(boundsOf('websites.createGoal'), {
    record: goal,
    fields: {
      event: {
        label: t('words.event'),
        hint: t('goals.eventHint'),
        missing: t('goals.eventMissing'),
        autoComplete: 'off',
        input: Autocomplete,
        inputProps: { data: seen.filter((event) => !taken.some((other) => other.event === event)) },
        isShown: () => goal === undefined,
      },
      value: { label: t('words.value'), hint: t('goals.valueHint', { currency: organization.currency }) },
      window_days: { label: t('goals.window'), hint: t('goals.windowHint') },
    },
    fieldOfCode: { goal_exists: 'event' },
    save: ({ event, ...terms }) =>
      goal === undefined
        ? create.mutateAsync({ id: touchpoint.id, event, ...terms })
        : update.mutateAsync({ id: touchpoint.id, goal_id: goal.id, ...terms }),
    notice: t(goal === undefined ? 'goals.added' : 'goals.saved'),
    onClose,
  });
  return (
    <RecordDrawer
      form={form}
      title={goal === undefined ? t('goals.add') : goal.event}
      submitLabel={goal === undefined ? t('goals.add') : t('common:actions.save')}
      onClose={onClose}
    >
      {goal !== undefined && <QuietText>{t('goals.later')}</QuietText>}
    </RecordDrawer>
  );
}

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
