import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import brandAct from '#web/clients/brands/brand-act.module.css';
import { useTimeZone } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { isFieldProblem, PlanFields, useMinute } from '#web/outreach/schedules/plan-fields.tsx';
import { firstValues, isPlanned, readPlan } from '#web/outreach/schedules/plan.ts';
import { isComplete, SendTimesFields, together } from '#web/outreach/schedules/send-times-fields.tsx';
import { SendFailure, type ConfirmationProps } from './send-failure.tsx';

/** Confirms an email for a date, or repeatedly. */
export default function ScheduleSend({
  touchpoint,
  recipients,
  isConfirmed,
  input,
  isRepeated,
  onClose,
}: ConfirmationProps & { isRepeated: boolean }) {
  const { t } = useTranslation(['schedules', 'touchpoints']);
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
  const [idempotencyKey] = useState(() => crypto.randomUUID());
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
    <>
      <PlanFields
        values={values}
        plan={plan}
        now={now}
        error={create.error}
        onChange={(next) => {
          create.reset();
          setTyped(next);
          if (next.repeat !== 'once') setRepeat(next.repeat);
        }}
      />
      <SendTimesFields
        touchpointId={touchpoint.id}
        plan={isPlanned(plan) ? plan : undefined}
        values={times}
        onChange={(next) => {
          create.reset();
          setTimes(next);
        }}
      />
      <Text size="sm" c="dimmed" my="md">
        {t(isRepeated ? 'noteRepeated' : 'note')}
      </Text>
      {!isFieldProblem(create.error) && <SendFailure error={create.error} />}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('touchpoints:review.notYet')}
        </Button>
        <Button
          className={brandAct.button}
          loading={create.isPending}
          disabled={!isConfirmed || !isPlanned(plan) || !isComplete(times)}
          onClick={() => {
            if (!isPlanned(plan)) return;
            const { start_date, time_zone, rrule } = plan;
            create.mutate({ id: touchpoint.id, start_date, time_zone, rrule, ...times, ...input });
          }}
        >
          {recipients === undefined ? t('confirmHidden') : t('confirm', { count: recipients })}
        </Button>
      </Group>
    </>
  );
}
