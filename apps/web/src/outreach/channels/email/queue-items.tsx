import { ActionIcon, Group, Stack, Text } from '@mantine/core';
import { maxQueuedItems } from '@reachout/contract/rules/lengths.ts';
import type { QueueSlots } from '@reachout/contract/schedules.ts';
import { IconX } from '@tabler/icons-react';
import { skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ItemSelect, useItemName } from '#web/content/collections/item-select.tsx';
import { useTimeZone } from '#web/i18n/format.ts';
import { usePlannedTime } from '#web/i18n/planned-time.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useMinute } from '#web/outreach/schedules/plan-fields.tsx';
import {
  firstValues,
  isPlanned,
  readPlan,
  valuesOf,
  type Plan,
  type PlanValues,
} from '#web/outreach/schedules/plan.ts';
import { compact } from '#web/platform/list-search.ts';
import { randomUuid } from '#web/platform/random-uuid.ts';
import { FinePrint, QuietText } from '#web/ui/text.ts';
import { ConfirmPlan } from './confirm-plan.tsx';
import type { ConfirmationProps } from './send-failure.tsx';

/**
 * Confirms an email once for each chosen content item, at the times of a rule.
 * @param slots  the rule that is offered first; null for every week from tomorrow on
 */
export default function QueueItems({
  touchpoint,
  recipients,
  isConfirmed,
  input,
  slots,
  onClose,
}: ConfirmationProps & { slots: QueueSlots | null }) {
  const { t } = useTranslation('schedules');
  const { api, orgId } = useOrganization();
  const navigate = useNavigate();
  const now = useMinute();
  const timeZone = useTimeZone();
  const [keys, setKeys] = useState<string[]>([]);
  const [values, setValues] = useState<PlanValues>(() =>
    slots === null ? { ...firstValues(new Date(now), timeZone), repeat: 'weekly' } : valuesOf(slots),
  );
  const plan = readPlan(values, new Date(now));
  const collection = touchpoint.collection ?? '';
  // One key per opened dialog, as for a send that starts now.
  const [idempotencyKey] = useState(randomUuid);
  const queue = useMutation(
    api.schedules.queueItems.mutationOptions({
      context: { idempotencyKey },
      onSuccess: async () => {
        await navigate({
          to: '/o/$orgId/touchpoints/$touchpointId/sends',
          params: { orgId, touchpointId: touchpoint.id },
        });
        onClose();
      },
    }),
  );
  // By the server, which knows the times that earlier items have.
  const free = useQuery(
    api.schedules.freeTimes.queryOptions({
      input: isPlanned(plan)
        ? compact({
            id: touchpoint.id,
            start_date: plan.start_date,
            time_zone: plan.time_zone,
            rrule: plan.rrule ?? undefined,
          })
        : skipToken,
      staleTime: 0,
      meta: { quiet: true },
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
        {isFull && <QuietText>{t('items.full', { count: maxQueuedItems })}</QuietText>}
        {keys.length > 0 && (
          <Stack component="ol" gap={4} m={0} p={0} aria-label={t('items.chosen')}>
            {keys.map((key, index) => (
              <ChosenItem
                key={key}
                collection={collection}
                itemKey={key}
                at={free.data && (free.data[index] ?? null)}
                timeZone={values.timeZone}
                onRemove={() => choose(keys.filter((one) => one !== key))}
              />
            ))}
          </Stack>
        )}
      </Stack>
      <ConfirmPlan
        values={values}
        plan={withFree(plan, free.data)}
        now={now}
        onChange={(next) => {
          queue.reset();
          setValues(next);
        }}
        note={t('items.note')}
        confirmLabel={
          recipients === undefined
            ? t('items.confirmHidden', { count: keys.length })
            : t('items.confirm', { count: keys.length, recipients })
        }
        isReady={isConfirmed && keys.length > 0 && (free.isError || (free.data?.length ?? 0) >= keys.length)}
        mutation={queue}
        onConfirm={({ start_date, time_zone, rrule }) =>
          queue.mutate({ id: touchpoint.id, item_ids: keys, start_date, time_zone, rrule, ...input })
        }
        onClose={onClose}
      />
    </>
  );
}

/** A plan with the times that are left of it. */
function withFree(plan: Plan, free: string[] | undefined): Plan {
  if (!isPlanned(plan) || free === undefined) return plan;
  return free.length === 0 ? { field: 'time', problem: 'taken' } : { ...plan, occurrences: free };
}

interface ChosenProps {
  collection: string;
  itemKey: string;
  /** When it is sent; null if no time is left, undefined until it is known. */
  at: string | null | undefined;
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
          <FinePrint>{at === null ? t('items.noTime') : plannedTime(at, timeZone)}</FinePrint>
        )}
      </Stack>
      <ActionIcon aria-label={t('form.remove', { name })} onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
    </Group>
  );
}
