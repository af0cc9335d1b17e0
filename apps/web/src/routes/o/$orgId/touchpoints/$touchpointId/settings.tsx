import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { DeletedState } from '#web/ui/deleted-state.tsx';
import { useServerForm } from '#web/ui/form.tsx';
import { notify } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useAction } from '#web/ui/use-action.ts';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { ValueList } from '#web/ui/value-list.tsx';

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/settings')({ component: Settings });

function Settings() {
  const { t } = useTranslation(['touchpoints', 'common']);
  const { orgId, can, canEver } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const [deleted, setDeleted] = useState(false);
  const checkName = useNameCheck();
  const action = useAction();
  const form = useServerForm({
    initial: { name: touchpoint.name },
    checks: { name: checkName },
    submit: async ({ name }) => {
      await client.touchpoints.update({ id: touchpoint.id, name: name.trim() });
      form.fields.resetDirty({ name });
      await refreshOrganization(orgId);
      notify(t('settings.renamed'));
    },
  });
  if (deleted) {
    return (
      <DeletedState
        text={t('deletedHere', { name: touchpoint.name })}
        back={
          <LinkButton
            size="xs"
            variant="subtle"
            to="/o/$orgId/campaigns/$campaignId"
            params={{ orgId, campaignId: touchpoint.campaign.id }}
          >
            {touchpoint.campaign.name}
          </LinkButton>
        }
        onUndo={async () => {
          await client.touchpoints.restore({ id: touchpoint.id });
          await refreshOrganization(orgId);
          setDeleted(false);
        }}
      />
    );
  }
  const canChange = can('update', 'Touchpoint');
  const dirty = form.fields.isDirty();
  const archived = touchpoint.status === 'archived';
  const setStatus = (status: 'draft' | 'archived') =>
    void action.run(async () => {
      await client.touchpoints.update({ id: touchpoint.id, status });
      await refreshOrganization(orgId);
      notify(t(status === 'archived' ? 'settings.archived' : 'settings.reopened'));
    });
  return (
    <Stack gap="lg" maw={640}>
      <UnsavedGuard dirty={dirty} onSave={form.save} />
      <form noValidate onSubmit={form.onSubmit}>
        <Stack gap="md">
          {canChange ? (
            <TextInput label={t('settings.name')} maxLength={120} {...form.fields.getInputProps('name')} />
          ) : (
            <ValueList values={[{ name: t('settings.name'), value: touchpoint.name }]} />
          )}
          <ActionError error={form.error} title={t('common:error.saveFailed')} />
          {canChange && (
            <Group>
              <Button type="submit" loading={form.pending} variant={dirty ? 'filled' : 'default'}>
                {t('common:actions.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      <ActionError error={action.error} />
      {canEver('update', 'Touchpoint') && (
        <Paper withBorder p="md" radius="md">
          <Title order={2} size="h3">
            {t('settings.archive')}
          </Title>
          <Text c="dimmed" mb="md">
            {t('settings.archiveHint')}
          </Text>
          <PermittedButton
            permission={['update', 'Touchpoint']}
            variant="default"
            onClick={() => setStatus(archived ? 'draft' : 'archived')}
          >
            {archived ? t('settings.reopen') : t('common:actions.archive')}
          </PermittedButton>
        </Paper>
      )}
      {canEver('delete', 'Touchpoint') && (
        <Paper withBorder p="md" radius="md">
          <Title order={2} size="h3">
            {t('settings.delete')}
          </Title>
          <Text c="dimmed" mb="md">
            {t('settings.deleteHint')}
          </Text>
          <PermittedButton
            permission={['delete', 'Touchpoint']}
            variant="default"
            c="var(--app-danger)"
            onClick={() =>
              void action.run(async () => {
                await client.touchpoints.delete({ id: touchpoint.id });
                setDeleted(true);
              })
            }
          >
            {t('settings.delete')}
          </PermittedButton>
        </Paper>
      )}
    </Stack>
  );
}
