import { Button, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import type { SetupTask } from '@reachout/contract/organizations.ts';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import type { SetupState } from './setup.ts';
import classes from './setup-checklist.module.css';

/** The remaining setup tasks. The server derives each from existing records; none is marked as done by hand. */
export function SetupChecklist({ setup, canHide = true }: { setup: SetupState; canHide?: boolean }) {
  const { t } = useTranslation('setup');
  const isDirectus = useDirectus();
  const hide = useMutation({ mutationFn: () => setup.setHidden(true) });
  const done = setup.tasks.filter((task) => task.done).length;
  return (
    <Paper withBorder p="lg" radius="md" component="section" aria-label={t('title')}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Title order={2}>{t('title')}</Title>
          <Text c="dimmed" mb="md">
            {t('progress', { done, total: setup.tasks.length })}
          </Text>
        </div>
        {canHide && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            flex="none"
            loading={hide.isPending}
            onClick={() => hide.mutate()}
          >
            {t('hide')}
          </Button>
        )}
      </Group>
      <ActionError error={hide.error} />
      <SimpleGrid
        component="ol"
        className="bare"
        minColWidth="min(100%, 300px)"
        autoFlow="auto-fit"
        spacing={24}
        verticalSpacing={4}
      >
        {setup.tasks.map(({ task, done: isDone }) => (
          <li key={task} className={classes.step} data-done={isDone}>
            {isDone ? (
              <IconCircleCheck size={20} role="img" aria-label={t('done')} />
            ) : (
              <IconCircleDashed size={20} aria-hidden />
            )}
            <div>
              <TaskLink task={task}>{t(`tasks.${task}.name`)}</TaskLink>
              {!isDone && (
                <QuietText>
                  {t(task === 'contacts' && isDirectus ? 'tasks.contacts.whyDirectus' : `tasks.${task}.why`)}
                </QuietText>
              )}
            </div>
          </li>
        ))}
      </SimpleGrid>
    </Paper>
  );
}

function TaskLink({ task, children }: { task: SetupTask; children: ReactNode }) {
  const { orgId } = useOrganization();
  const params = { orgId };
  const links = {
    profile: linkOptions({ to: '/o/$orgId/settings/general', params }),
    team: linkOptions({ to: '/o/$orgId/settings/invitations', params }),
    brand: linkOptions({ to: '/o/$orgId/clients', params }),
    contacts: linkOptions({
      to: '/o/$orgId/collections/$collection/import',
      params: { orgId, collection: 'contacts' },
    }),
    audience: linkOptions({ to: '/o/$orgId/audiences', params, search: { new: true } }),
    touchpoint: linkOptions({ to: '/o/$orgId/emails/new', params }),
  } satisfies Record<SetupTask, object>;
  return <LinkAnchor {...links[task]}>{children}</LinkAnchor>;
}
