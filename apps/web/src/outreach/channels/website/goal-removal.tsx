import { Text } from '@mantine/core';
import type { ConversionGoal } from '@reachout/contract/websites.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { currentTimeZone } from '#web/platform/preferences.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notify } from '#web/ui/notify.tsx';

interface Props {
  goal: ConversionGoal;
  onClose: () => void;
}

/** Confirms the removal of a goal, with the number of conversions that disappear with it. */
export function GoalRemoval({ goal: { id, event, created_at }, onClose }: Props) {
  const { t } = useTranslation('conversions');
  const { api, orgId, can } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const remove = useMutation(
    api.websites.deleteGoal.mutationOptions({ onSuccess: () => notify(t('goals.removed')) }),
  );
  const { data } = useQuery({
    ...api.statistics.websiteConversions.queryOptions({
      input: {
        organization_id: orgId,
        touchpoint: touchpoint.id,
        time_zone: currentTimeZone(),
        period: `${created_at.slice(0, 10)}::${dayAfterTomorrow()}`,
      },
      meta: { quiet: true },
    }),
    enabled: can('read', 'Statistics'),
  });
  const count = data?.data.goals.find(({ goal_id }) => goal_id === id)?.conversions;
  return (
    <ConfirmDialog
      title={t('goals.removeTitle', { event })}
      confirmLabel={t('goals.remove')}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ id: touchpoint.id, goal_id: id })}
    >
      <Text>
        {count === undefined
          ? t('goals.removeUnknown')
          : count === 0
            ? t('goals.removeNone')
            : t('goals.removeCount', { count })}
      </Text>
      <Text c="dimmed">{t('goals.removeHint')}</Text>
    </ConfirmDialog>
  );
}

/** A day that has not begun in any time zone: the goal's whole time is before its end. */
const dayAfterTomorrow = (): string => new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
