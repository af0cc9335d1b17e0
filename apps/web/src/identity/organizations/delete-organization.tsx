import { Button, Group, Modal, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { PermittedButton } from './permitted-button.tsx';
import { refreshOwnOrganizations } from './refresh.ts';
import { useOrganization } from './use-organization.ts';
import { useServerForm } from '#web/ui/form.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useFocusBack } from '#web/ui/use-focus-back.ts';

export function DeleteOrganization() {
  const { t } = useTranslation('settings');
  const { canEver } = useOrganization();
  const [asking, setAsking] = useState(false);
  if (!canEver('delete', 'Organization')) return null;
  return (
    <Paper withBorder p="md" radius="md">
      <Title order={2} size="h3">
        {t('remove.title')}
      </Title>
      <Text c="dimmed" mb="md">
        {t('remove.hint')}
      </Text>
      <PermittedButton
        permission={['delete', 'Organization']}
        variant="default"
        c="var(--app-danger)"
        onClick={() => setAsking(true)}
      >
        {t('remove.title')}
      </PermittedButton>
      {asking && <DeleteDialog onClose={() => setAsking(false)} />}
    </Paper>
  );
}

/** The only deletion that has to be typed: nothing on screen brings an organization back. */
function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['settings', 'common']);
  const { organization, orgId } = useOrganization();
  const navigate = useNavigate();
  useFocusBack();
  const form = useServerForm({
    initial: { name: '' },
    checks: {
      name: (value) => (value.trim() === organization.name ? null : t('remove.mismatch')),
    },
    submit: async () => {
      await client.organizations.delete({ id: orgId });
      await navigate({ to: '/organizations' });
      await refreshOwnOrganizations();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('remove.question', { name: organization.name })}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <form noValidate onSubmit={form.onSubmit}>
        <Stack gap="md">
          <Text>{t('remove.effect')}</Text>
          <TextInput
            data-autofocus
            autoComplete="off"
            label={t('remove.type', { name: organization.name })}
            {...form.fields.getInputProps('name')}
          />
          <ActionError error={form.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('common:actions.cancel')}
            </Button>
            <Button type="submit" color="red" loading={form.pending}>
              {t('remove.title')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
