import { Alert, Button, Group, List, Modal, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { isRecord, Problem } from '#web/platform/problem.ts';
import { endSession, useSession } from '#web/identity/auth/session.ts';
import { useServerForm } from '#web/ui/form.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useFocusBack } from '#web/ui/use-focus-back.ts';

export function DeleteAccount() {
  const { t } = useTranslation('account');
  const session = useSession();
  const [asking, setAsking] = useState(false);
  return (
    <Paper withBorder p="md" radius="md" component="section">
      <Title order={2} size="h3">
        {t('data.delete')}
      </Title>
      <Text c="dimmed" mb="md">
        {t('data.deleteBody')}
      </Text>
      <Button variant="default" c="var(--app-danger)" onClick={() => setAsking(true)}>
        {t('data.deleteAction')}
      </Button>
      {asking && session.is === 'signed_in' && (
        <DeleteDialog email={session.user.email} onClose={() => setAsking(false)} />
      )}
    </Paper>
  );
}

/** The one thing here that cannot be undone: the own address is typed first. */
function DeleteDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation(['account', 'common']);
  const navigate = useNavigate();
  const [kept, setKept] = useState<readonly Organization[]>();
  useFocusBack();
  const form = useServerForm({
    initial: { email: '' },
    checks: {
      email: (value) =>
        value.trim().toLowerCase() === email.toLowerCase() ? null : t('data.deleteMismatch'),
    },
    submit: async () => {
      setKept(undefined);
      try {
        await client.me.delete();
      } catch (error) {
        const organizations = lastOwnerOf(error);
        if (organizations === undefined) throw error;
        setKept(organizations);
        return;
      }
      endSession();
      await navigate({ to: '/sign-in', search: { after: 'deleted' }, ignoreBlocker: true });
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('data.deleteTitle')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <form noValidate onSubmit={form.onSubmit}>
        <Stack gap="md">
          <Text>{t('data.deleteBody')}</Text>
          <TextInput
            data-autofocus
            autoComplete="off"
            label={t('data.deleteConfirm', { email })}
            {...form.fields.getInputProps('email')}
          />
          {kept && <LastOwner organizations={kept} />}
          <ActionError error={form.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('data.keep')}
            </Button>
            <Button type="submit" color="red" loading={form.pending}>
              {t('data.deleteAction')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface Organization {
  id: string;
  name: string;
}

function LastOwner({ organizations }: { organizations: readonly Organization[] }) {
  const { t } = useTranslation('account');
  return (
    <Alert color="yellow" variant="light" role="alert" title={t('data.lastOwner')}>
      <Text size="sm" mb="xs">
        {t('data.lastOwnerBody')}
      </Text>
      <List size="sm">
        {organizations.map(({ id, name }) => (
          <List.Item key={id}>
            <LinkAnchor to="/o/$orgId/settings/members" params={{ orgId: id }}>
              {name}
            </LinkAnchor>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function lastOwnerOf(error: unknown): Organization[] | undefined {
  if (!(error instanceof Problem) || error.code !== 'last_owner') return undefined;
  const { data } = error.extra;
  const list: unknown = isRecord(data) ? data['organizations'] : undefined;
  return Array.isArray(list)
    ? list.filter(
        (entry: unknown): entry is Organization =>
          isRecord(entry) && typeof entry['id'] === 'string' && typeof entry['name'] === 'string',
      )
    : [];
}
