import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { maxQueuedItems } from '@reachout/contract/rules/lengths.ts';
import { IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import brandAct from '#web/clients/brands/brand-act.module.css';
import { ItemSelect, useItemName } from '#web/content/collections/item-select.tsx';
import { useTimeZone } from '#web/i18n/format.ts';
import { usePlannedTime } from '#web/i18n/planned-time.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { isFieldProblem, PlanFields, useMinute } from '#web/outreach/schedules/plan-fields.tsx';
import { firstValues, isPlanned, readPlan } from '#web/outreach/schedules/plan.ts';
import { SendFailure, type ConfirmationProps } from './send-failure.tsx';

/** Confirms an email once for each chosen content item, at the times of a rule. */
export default function QueueItems({
  touchpoint,
  recipients,
  isConfirmed,
  input,
  onClose,
}: ConfirmationProps) {
  const { t } = useTranslation(['schedules', 'touchpoints']);
  const { api, orgId } = useOrganization();
  const navigate = useNavigate();
  const now = useMinute();
  const timeZone = useTimeZone();
  const [keys, setKeys] = useState<string[]>([]);
  const [values, setValues] = useState(() => ({
    ...firstValues(new Date(now), timeZone),
    repeat: 'weekly' as ReturnType<typeof firstValues>['repeat'],
  }));
  const plan = readPlan(values, new Date(now));
  const collection = touchpoint.collection ?? '';
  // One key per opened dialog, as for a send that starts now.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const queue = useMutation(
    api.schedules.queueItems.mutationOptions({
      context: { idempotencyKey },
      onSuccess: () =>
        navigate({
          to: '/o/$orgId/touchpoints/$touchpointId/sends',
          params: { orgId, touchpointId: touchpoint.id },
        }),
    }),
  );
  const choose = (next: string[]) => {
    queue.reset();
    setKeys(next);
  };
  const isFull = keys.length >= maxQueuedItems;
  return (
    <>
      <Stack gap="sm" mb="md">
        <ItemSelect
          collection={collection}
          label={t('items.add')}
          placeholder={t('items.choose')}
          disabled={isFull}
          value={null}
          onChange={(key) => key !== null && !keys.includes(key) && choose([...keys, key])}
        />
        {isFull && (
          <Text size="sm" c="dimmed">
            {t('items.full', { count: maxQueuedItems })}
          </Text>
        )}
        {keys.length > 0 && (
          <Stack component="ol" gap={4} m={0} p={0} aria-label={t('items.chosen')}>
            {keys.map((key, index) => (
              <ChosenItem
                key={key}
                collection={collection}
                itemKey={key}
                at={isPlanned(plan) ? plan.occurrences[index] : undefined}
                timeZone={values.timeZone}
                onRemove={() => choose(keys.filter((one) => one !== key))}
              />
            ))}
          </Stack>
        )}
      </Stack>
      <PlanFields
        values={values}
        plan={plan}
        now={now}
        error={queue.error}
        onChange={(next) => {
          queue.reset();
          setValues(next);
        }}
      />
      <Text size="sm" c="dimmed" my="md">
        {t('items.note')}
      </Text>
      {!isFieldProblem(queue.error) && <SendFailure error={queue.error} />}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('touchpoints:review.notYet')}
        </Button>
        <Button
          className={brandAct.button}
          loading={queue.isPending}
          disabled={!isConfirmed || keys.length === 0 || !isPlanned(plan)}
          onClick={() => {
            if (!isPlanned(plan)) return;
            const { start_date, time_zone, rrule } = plan;
            queue.mutate({ id: touchpoint.id, item_ids: keys, start_date, time_zone, rrule, ...input });
          }}
        >
          {recipients === undefined
            ? t('items.confirmHidden', { count: keys.length })
            : t('items.confirm', { count: keys.length, recipients })}
        </Button>
      </Group>
    </>
  );
}

interface ChosenProps {
  collection: string;
  itemKey: string;
  /** When it is sent, unless an item that was queued before has this time. */
  at: string | undefined;
  timeZone: string;
  onRemove: () => void;
}

function ChosenItem({ collection, itemKey, at, timeZone, onRemove }: ChosenProps) {
  const { t } = useTranslation('schedules');
  const name = useItemName(collection, itemKey);
  const plannedTime = usePlannedTime();
  return (
    <Group component="li" gap="xs" wrap="nowrap" justify="space-between">
      <Stack gap={0} miw={0}>
        <Text size="sm" truncate>
          {name}
        </Text>
        {at !== undefined && (
          <Text size="xs" c="dimmed">
            {plannedTime(at, timeZone)}
          </Text>
        )}
      </Stack>
      <ActionIcon variant="subtle" color="gray" aria-label={t('items.remove', { name })} onClick={onRemove}>
        <IconX size={16} stroke={1.75} />
      </ActionIcon>
    </Group>
  );
}
