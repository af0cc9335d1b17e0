import { Group, Menu, Text, UnstyledButton } from '@mantine/core';
import { maxGoals } from '@reachout/contract/rules/conversions.ts';
import type { ConversionGoal } from '@reachout/contract/websites.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useMoney } from '#web/identity/organizations/use-money.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { currentTimeZone } from '#web/platform/preferences.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { Time } from '#web/ui/time.tsx';
import { GoalForm } from './goal-form.tsx';

type Opened = { what: 'new' } | { what: 'edit' | 'remove'; goal: ConversionGoal };

/** The events of the website that count as conversions. */
export function ConversionGoals() {
  const { t } = useTranslation('conversions');
  const { api } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const query = useQuery(api.websites.goals.queryOptions({ input: { id: touchpoint.id } }));
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <SectionCard id="goals" title={t('goals.title')} hint={t('goals.hint')}>
      <AsyncRegion query={query} what={t('goals.what')}>
        {(goals) => (
          <>
            {goals.length === 0 ? (
              <Text c="dimmed">{t('goals.none')}</Text>
            ) : (
              <GoalTable goals={goals} onOpen={setOpened} />
            )}
            <Group mt="md">
              <CreateButton
                permission={['update', 'Touchpoint']}
                variant="default"
                reason={goals.length < maxGoals ? undefined : t('goals.limit', { max: maxGoals })}
                onClick={() => setOpened({ what: 'new' })}
              >
                {t('goals.add')}
              </CreateButton>
            </Group>
            {opened?.what === 'new' && <GoalForm taken={goals} onClose={close} />}
          </>
        )}
      </AsyncRegion>
      {opened?.what === 'edit' && <GoalForm goal={opened.goal} onClose={close} />}
      {opened?.what === 'remove' && <GoalRemoval goal={opened.goal} onClose={close} />}
    </SectionCard>
  );
}

interface TableProps {
  goals: readonly ConversionGoal[];
  onOpen: (opened: Opened) => void;
}

function GoalTable({ goals, onOpen }: TableProps) {
  const { t } = useTranslation(['conversions', 'common']);
  const format = useFormat();
  const money = useMoney();
  const canUpdate = useOrganization().can('update', 'Touchpoint');
  return (
    <DataTable
      label={t('goals.title')}
      rows={goals}
      columns={[
        {
          header: t('goals.event'),
          cell: (goal) =>
            canUpdate ? (
              <UnstyledButton className="row-button break" onClick={() => onOpen({ what: 'edit', goal })}>
                {goal.event}
              </UnstyledButton>
            ) : (
              <span className="break">{goal.event}</span>
            ),
        },
        {
          header: t('goals.value'),
          align: 'end',
          cell: ({ value }) => (value === null ? t('goals.ownValue') : money(value)),
        },
        {
          header: t('goals.window'),
          align: 'end',
          cell: ({ window_days: days }) => t('goals.days', { count: days, number: format.number(days) }),
        },
        { header: t('goals.since'), cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
      rowActions={
        canUpdate
          ? (goal) => (
              <RowMenu name={goal.event}>
                <Menu.Item onClick={() => onOpen({ what: 'edit', goal })}>
                  {t('common:actions.edit')}
                </Menu.Item>
                <Menu.Item c="var(--app-danger)" onClick={() => onOpen({ what: 'remove', goal })}>
                  {t('goals.remove')}
                </Menu.Item>
              </RowMenu>
            )
          : undefined
      }
    />
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
