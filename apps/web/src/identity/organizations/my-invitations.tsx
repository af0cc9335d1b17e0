import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { MyInvitation } from '@reachout/contract/me.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { notifyOf } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { Logo } from './organization-logo.tsx';
import { useRoleName } from './role-name.ts';

/** The pending invitations of the signed-in user, to accept or decline. */
export function MyInvitations({ invitations }: { invitations: readonly MyInvitation[] }) {
  const { t } = useTranslation(['organizations', 'onboarding']);
  if (invitations.length === 0) return null;
  return (
    <Box component="section" mb={32} aria-label={t('onboarding:invitations.title')}>
      <Title order={2} mb="md">
        {t('onboarding:invitations.title')}
      </Title>
      <Stack component="ul" className="bare">
        {invitations.map((invitation) => (
          <InvitationCard key={invitation.id} invitation={invitation} />
        ))}
      </Stack>
    </Box>
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
    api.invitations.decline.mutationOptions(
      notifyOf(t('onboarding:invitations.declined', { name: organization.name })),
    ),
  );
  return (
    <Paper withBorder p="md" radius="md" component="li">
      <Group justify="space-between" gap="md">
        <Group wrap="nowrap">
          <Logo name={organization.name} logo={organization.logo_url} size={40} />
          <div>
            <Text fw={650}>{organization.name}</Text>
            <QuietText>
              {invited_by_name === null
                ? t('onboarding:invitations.as', { role: roleName(invitation) })
                : t('onboarding:invitations.asBy', { role: roleName(invitation), name: invited_by_name })}
            </QuietText>
            <QuietText>{t('words.validUntil', { date: format.deadline(invitation.expires_at) })}</QuietText>
          </div>
        </Group>
        <Group gap="xs">
          <Button
            loading={declining.isPending}
            aria-label={t('onboarding:invitations.declineOf', { name: organization.name })}
            onClick={() => declining.mutate({ token })}
          >
            {t('words.decline')}
          </Button>
          <Button
            variant="filled"
            loading={accepting.isPending}
            aria-label={t('onboarding:invitations.acceptOf', { name: organization.name })}
            onClick={() => accepting.mutate({ token })}
          >
            {t('words.accept')}
          </Button>
        </Group>
      </Group>
      <ActionError error={accepting.error ?? declining.error} />
    </Paper>
  );
}
