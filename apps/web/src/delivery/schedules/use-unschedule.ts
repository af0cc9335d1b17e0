import type { Schedule } from '@reachout/contract/schedules.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { notify, notifyFailure } from '#web/ui/notify.tsx';
import { useProblemText } from '#web/ui/problem-text.ts';

/** Deletes the schedule of a send. For an email that is sent once, the notification offers to schedule it again. */
export function useUnschedule(send: Pick<Send, 'touchpoint_id' | 'uncertain_policy' | 'in_series'>) {
  const { t } = useTranslation(['schedules', 'common']);
  const { api, orgId } = useOrganization();
  const navigate = useNavigate();
  const sayProblem = useProblemText();
  const params = { orgId, touchpointId: send.touchpoint_id };
  const restore = useMutation(
    api.schedules.create.mutationOptions({
      onSuccess: ({ next }) =>
        void navigate({
          to: '/o/$orgId/touchpoints/$touchpointId/sends/$sendId',
          params: { ...params, sendId: next?.send_id ?? '' },
        }),
      onError: (error) => notifyFailure(`${t('unscheduleFailed')}: ${sayProblem(error)}`),
    }),
  );
  const remove = useMutation(api.schedules.delete.mutationOptions());
  const unschedule = useMutation({
    mutationFn: async (schedule: Schedule) => {
      await remove.mutateAsync({ id: schedule.id });
      if (schedule.rrule !== null) notify(t('unscheduledSeries'));
      // One item of a queue, which goes on without it.
      else if (send.in_series) notify(t('leftOut'));
      else
        notify(t('unscheduled'), {
          label: t('common:actions.undo'),
          run: () =>
            restore.mutate({
              id: send.touchpoint_id,
              start_date: schedule.next?.scheduled_date ?? schedule.start_date,
              time_zone: schedule.time_zone,
              rrule: null,
              contact_time_zones: schedule.contact_time_zones,
              spread_minutes: schedule.spread_minutes,
              window_start: schedule.window_start,
              window_end: schedule.window_end,
              uncertain_policy: send.uncertain_policy,
              // Was confirmed, if there is any: the email is the same.
              sends_sample_content: true,
            }),
        });
      await navigate({ to: '/o/$orgId/touchpoints/$touchpointId', params });
    },
  });
  return { unschedule, error: unschedule.error };
}
