import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { MyInvitation } from '@reachout/contract/me.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { notify } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { Logo } from './organization-logo.tsx';
import classes from './organizations.module.css';
import { useRoleName } from './role-name.ts';

/** The pending invitations of the signed-in user, to accept or decline. */
export function MyInvitations({ invitations }: { invitations: readonly MyInvitation[] }) {
  const { t } = useTranslation(['organizations', 'onboarding']);
  if (invitations.length === 0) return null;
  return (
    <section aria-label={t('onboarding:invitations.title')} className={classes.section}>
      <Title order={2} mb="md">
        {t('onboarding:invitations.title')}
      </Title>
      <Stack gap="md" component="ul" className={classes.cards}>
        {invitations.map((invitation) => (
          <InvitationCard key={invitation.id} invitation={invitation} />
        ))}
      </Stack>
    </section>
  );
}

function InvitationCard({ invitation }: { invitation: MyInvitation }) {
  const { t } = useTranslation(['organizations', 'onboarding']);
  const format = useFormat();
  const roleName = useRoleName();
  const navigate = useNavigate();
  const { organization, token, invited_by_name } = invitation;
  const accepting = useMutation(
    api.invitations.accept.mutationOptions({
      onSuccess: ({ organization_id: orgId }) => navigate({ to: '/o/$orgId', params: { orgId } }),
    }),
  );
  const declining = useMutation(
    api.invitations.decline.mutationOptions({
      onSuccess: () => notify(t('onboarding:invitations.declined', { name: organization.name })),
    }),
  );
  return (
    <Paper withBorder p="md" radius="md" component="li">
      <Group justify="space-between" gap="md">
        <Group wrap="nowrap">
          <Logo name={organization.name} logo={organization.logo_url} size={40} />
          <div>
            <Text fw={650}>{organization.name}</Text>
            <Text size="sm" c="dimmed">
              {invited_by_name === null
                ? t('onboarding:invitations.as', { role: roleName(invitation) })
                : t('onboarding:invitations.asBy', { role: roleName(invitation), name: invited_by_name })}
            </Text>
            <Text size="sm" c="dimmed">
              {t('onboarding:invitations.until', { date: format.deadline(invitation.expires_at) })}
            </Text>
          </div>
        </Group>
        <Group gap="xs">
          <Button
            variant="default"
            loading={declining.isPending}
            aria-label={t('onboarding:invitations.declineOf', { name: organization.name })}
            onClick={() => declining.mutate({ token })}
          >
            {t('onboarding:invitations.decline')}
          </Button>
          <Button
            loading={accepting.isPending}
            aria-label={t('onboarding:invitations.acceptOf', { name: organization.name })}
            onClick={() => accepting.mutate({ token })}
          >
            {t('onboarding:invitations.accept')}
          </Button>
        </Group>
      </Group>
      <ActionError error={accepting.error ?? declining.error} />
    </Paper>
  );
}
