import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { DeletedState } from '#web/ui/deleted-state.tsx';
import { useServerForm } from '#web/ui/form.tsx';
import { notify } from '#web/ui/notify.tsx';
import { useRecordDeletion } from '#web/ui/use-record-deletion.ts';
import { ActionError } from '#web/ui/states.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { ValueList } from '#web/ui/value-list.tsx';

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/settings')({ component: Settings });

function Settings() {
  const { t } = useTranslation(['touchpoints', 'common']);
  const { api, orgId, can, canEver } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const checkName = useNameCheck();
  const { touchpoints } = api;
  const deletion = useRecordDeletion(touchpoint.id, {
    remove: touchpoints.delete.mutationOptions(),
    restore: touchpoints.restore.mutationOptions(),
  });
  const rename = useMutation(
    touchpoints.update.mutationOptions({ onSuccess: () => notify(t('settings.renamed')) }),
  );
  const setStatus = useMutation(
    touchpoints.update.mutationOptions({
      onSuccess: ({ status }) => notify(t(status === 'archived' ? 'settings.archived' : 'settings.reopened')),
    }),
  );
  const form = useServerForm({
    initial: { name: touchpoint.name },
    checks: { name: checkName },
    submit: async ({ name }) => {
      await rename.mutateAsync({ id: touchpoint.id, name: name.trim() });
      form.fields.resetDirty({ name });
    },
  });
  if (deletion.deletedName !== undefined) {
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
        onUndo={deletion.restore}
      />
    );
  }
  const canChange = can('update', 'Touchpoint');
  const dirty = form.fields.isDirty();
  const archived = touchpointCan.reopen(touchpoint);
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
      <ActionError error={setStatus.error ?? deletion.error} />
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
            reason={archived || touchpointCan.archive(touchpoint) ? undefined : t('settings.archiveLater')}
            onClick={() => setStatus.mutate({ id: touchpoint.id, status: archived ? 'draft' : 'archived' })}
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
            onClick={() => deletion.remove(touchpoint.name)}
          >
            {t('settings.delete')}
          </PermittedButton>
        </Paper>
      )}
    </Stack>
  );
}
