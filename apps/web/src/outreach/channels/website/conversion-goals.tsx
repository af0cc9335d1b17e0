import { Group, Text, UnstyledButton } from '@mantine/core';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { maxGoals } from '@reachout/contract/rules/conversions.ts';
import type { ConversionGoal } from '@reachout/contract/websites.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { timeColumn } from '#web/identity/lists/columns.tsx';
import { RecordTable } from '#web/identity/lists/record-table.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useMoney } from '#web/identity/organizations/use-money.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { currentTimeZone } from '#web/platform/preferences.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notifyOf } from '#web/ui/notify.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { GoalForm } from './goal-form.tsx';

/** The events of the website that count as conversions. */
export function ConversionGoals() {
  const { t } = useTranslation('conversions');
  const { api } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const query = useQuery(api.websites.goals.queryOptions({ input: { id: touchpoint.id } }));
  const [isCreating, setCreating] = useState(false);
  return (
    <SectionCard id="goals" title={t('goals.title')} hint={t('goals.hint')}>
      <AsyncRegion query={query} what={t('records.what', { records: t('goals.title') })}>
        {(goals) => (
          <>
            {goals.length === 0 ? <Text c="dimmed">{t('goals.none')}</Text> : <GoalTable goals={goals} />}
            <Group mt="md">
              <CreateButton
                permission={['update', 'Touchpoint']}
                variant="default"
                reason={goals.length < maxGoals ? undefined : t('goals.limit', { max: maxGoals })}
                onClick={() => setCreating(true)}
              >
                {t('goals.add')}
              </CreateButton>
            </Group>
            {isCreating && <GoalForm taken={goals} onClose={() => setCreating(false)} />}
          </>
        )}
      </AsyncRegion>
    </SectionCard>
  );
}

function GoalTable({ goals }: { goals: readonly ConversionGoal[] }) {
  const { t } = useTranslation('conversions');
  const format = useFormat();
  const money = useMoney();
  const { can } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const page = { client_id: touchpoint.client.id, brand_id: touchpoint.brand.id };
  const [editing, setEditing] = useState<ConversionGoal>();
  return (
    <>
      <RecordTable
        records={recordLists.conversionGoals}
        page={page}
        label={t('goals.title')}
        rows={goals}
        nameOf={({ event }) => event}
        columns={[
          {
            header: t('words.event'),
            cell: (goal) =>
              can('update', 'Touchpoint', page) ? (
                <UnstyledButton className="row-button break" onClick={() => setEditing(goal)}>
                  {goal.event}
                </UnstyledButton>
              ) : (
                <span className="break">{goal.event}</span>
              ),
          },
          {
            header: t('words.value'),
            align: 'end',
            cell: ({ value }) => (value === null ? t('goals.ownValue') : money(value)),
          },
          {
            header: t('goals.window'),
            align: 'end',
            cell: ({ window_days: days }) => t('goals.days', { count: days, number: format.number(days) }),
          },
          timeColumn<ConversionGoal>('created_at', t('goals.since'), (goal) => goal.created_at),
        ]}
        shown={{
          edit: { run: setEditing },
          remove: {
            label: t('goals.remove'),
            isDestructive: true,
            open: (goal, close) => <GoalRemoval goal={goal} onClose={close} />,
          },
        }}
      />
      {editing && <GoalForm goal={editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}

interface Props {
  goal: ConversionGoal;
  onClose: () => void;
}

/** Confirms the removal of a goal, with the number of conversions that disappear with it. */
function GoalRemoval({ goal: { id, event, created_at }, onClose }: Props) {
  const { t } = useTranslation('conversions');
  const { api, orgId, can } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const remove = useMutation(api.websites.deleteGoal.mutationOptions(notifyOf(t('goals.removed'))));
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
