import { Button, Group, Skeleton, Text } from '@mantine/core';
import { recurrenceFrom } from '@reachout/contract/rules/recurrence.ts';
import type { Schedule } from '@reachout/contract/schedules.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlannedTime } from '#web/i18n/planned-time.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { notify } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { isFieldProblem, PlanFields, useMinute } from './plan-fields.tsx';
import { isPlanned, readPlan, valuesOf } from './plan.ts';
import { isComplete, SendTimesFields, type SendTimes } from './send-times-fields.tsx';
import { schedulesQuery } from './schedules-query.ts';

interface Props {
  /** The email of the schedule. */
  touchpoint: { id: string; name: string };
  scheduleId: string;
  onClose: () => void;
}

/** Moves a schedule whose next send has not started. */
export function ChangeTime({ touchpoint, scheduleId, onClose }: Props) {
  const { t } = useTranslation('schedules');
  const query = useQuery({ ...schedulesQuery(useOrganization(), touchpoint.id), staleTime: 0 });
  return (
    <Dialog onClose={onClose} size="lg" title={t('changeTimeOf', { name: touchpoint.name })}>
      <AsyncRegion query={query} what={t('what')} skeleton={<Skeleton height={180} radius="sm" />}>
        {(schedules) => {
          const schedule = schedules.find(({ id }) => id === scheduleId);
          return schedule?.next && sendCan.undo(schedule.next) ? (
            <ChangeForm schedule={schedule} next={schedule.next} onClose={onClose} />
          ) : (
            <Text>{t('ended')}</Text>
          );
        }}
      </AsyncRegion>
    </Dialog>
  );
}

interface FormProps {
  schedule: Schedule;
  next: NonNullable<Schedule['next']>;
  onClose: () => void;
}

function ChangeForm({ schedule, next, onClose }: FormProps) {
  const { t } = useTranslation(['schedules', 'common']);
  const { api } = useOrganization();
  const plannedTime = usePlannedTime();
  const now = useMinute();
  const [values, setValues] = useState(() => valuesOf(recurrenceFrom(schedule, next.scheduled_date)));
  const { contact_time_zones, spread_minutes, window_start, window_end } = schedule;
  const [times, setTimes] = useState<SendTimes>({
    contact_time_zones,
    spread_minutes,
    window_start,
    window_end,
  });
  const plan = readPlan(values, new Date(now));
  const update = useMutation(
    api.schedules.update.mutationOptions({
      onSuccess: (changed) => {
        notify(
          t('moved', {
            when: plannedTime(changed.next?.scheduled_date ?? changed.start_date, changed.time_zone),
          }),
        );
        onClose();
      },
    }),
  );
  return (
    <>
      <PlanFields
        values={values}
        plan={plan}
        now={now}
        error={update.error}
        onChange={(changed) => {
          update.reset();
          setValues(changed);
        }}
      />
      <SendTimesFields
        touchpointId={schedule.touchpoint_id}
        plan={isPlanned(plan) ? plan : undefined}
        values={times}
        onChange={(changed) => {
          update.reset();
          setTimes(changed);
        }}
      />
      {!isFieldProblem(update.error) && <ActionError error={update.error} />}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button onClick={onClose}>{t('common:actions.cancel')}</Button>
        <Button
          variant="filled"
          loading={update.isPending}
          disabled={!isPlanned(plan) || !isComplete(times)}
          onClick={() => {
            if (!isPlanned(plan)) return;
            const { start_date, time_zone, rrule } = plan;
            update.mutate({ id: schedule.id, start_date, time_zone, rrule, ...times });
          }}
        >
          {t('changeTime')}
        </Button>
      </Group>
    </>
  );
}
