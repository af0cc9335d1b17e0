import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTimeZone } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useMinute } from '#web/outreach/schedules/plan-fields.tsx';
import { firstValues, isPlanned, readPlan } from '#web/outreach/schedules/plan.ts';
import { isComplete, SendTimesFields, together } from '#web/outreach/schedules/send-times-fields.tsx';
import { randomUuid } from '#web/platform/random-uuid.ts';
import { ConfirmPlan } from './confirm-plan.tsx';
import type { ConfirmationProps } from './send-failure.tsx';

/** Confirms an email for a date, or repeatedly. */
export default function ScheduleSend({
  touchpoint,
  recipients,
  isConfirmed,
  input,
  isRepeated,
  onClose,
}: ConfirmationProps & { isRepeated: boolean }) {
  const { t } = useTranslation('schedules');
  const { api, orgId } = useOrganization();
  const navigate = useNavigate();
  const now = useMinute();
  const timeZone = useTimeZone();
  const [typed, setTyped] = useState(() => firstValues(new Date(now), timeZone));
  const [repeat, setRepeat] = useState<typeof typed.repeat>('weekly');
  const [times, setTimes] = useState(together);
  const values = { ...typed, repeat: isRepeated ? repeat : ('once' as const) };
  const plan = readPlan(values, new Date(now));
  // One key per opened dialog, as for a send that starts now.
  const [idempotencyKey] = useState(randomUuid);
  const create = useMutation(
    api.schedules.create.mutationOptions({
      context: { idempotencyKey },
      onSuccess: ({ next }) =>
        navigate({
          to: '/o/$orgId/touchpoints/$touchpointId/sends/$sendId',
          params: { orgId, touchpointId: touchpoint.id, sendId: next?.send_id ?? '' },
        }),
    }),
  );
  return (
    <ConfirmPlan
      values={values}
      plan={plan}
      now={now}
      onChange={(next) => {
        create.reset();
        setTyped(next);
        if (next.repeat !== 'once') setRepeat(next.repeat);
      }}
      note={t(isRepeated ? 'noteRepeated' : 'note')}
      confirmLabel={recipients === undefined ? t('confirmHidden') : t('confirm', { count: recipients })}
      isReady={isConfirmed && isComplete(times)}
      mutation={create}
      onConfirm={({ start_date, time_zone, rrule }) =>
        create.mutate({ id: touchpoint.id, start_date, time_zone, rrule, ...times, ...input })
      }
      onClose={onClose}
    >
      <SendTimesFields
        touchpointId={touchpoint.id}
        plan={isPlanned(plan) ? plan : undefined}
        values={times}
        onChange={(next) => {
          create.reset();
          setTimes(next);
        }}
      />
    </ConfirmPlan>
  );
}
