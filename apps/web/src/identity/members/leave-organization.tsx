import { Paper, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { refreshOwnOrganizations } from '#web/identity/organizations/refresh.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DisabledWithTooltip } from '#web/ui/disabled-with-tooltip.tsx';
import { useIsLastOwner } from './use-is-last-owner.ts';

export function LeaveOrganization() {
  const { t } = useTranslation('settings');
  const { organization } = useOrganization();
  const isLastOwner = useIsLastOwner();
  const [asking, setAsking] = useState(false);
  const lastOwner = isLastOwner(organization.role);
  return (
    <Paper withBorder p="md" radius="md">
      <Title order={2} size="h3">
        {t('leave.title')}
      </Title>
      <Text c="dimmed" mb="md">
        {lastOwner ? t('members.lastOwner') : t('leave.hint')}
      </Text>
      <DisabledWithTooltip
        variant="default"
        reason={lastOwner ? t('members.lastOwner') : undefined}
        onClick={() => setAsking(true)}
      >
        {t('leave.action')}
      </DisabledWithTooltip>
      {asking && <LeaveDialog onClose={() => setAsking(false)} />}
    </Paper>
  );
}

export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { organization, orgId } = useOrganization();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={t('leave.question', { name: organization.name })}
      confirmLabel={t('leave.action')}
      onClose={onClose}
      onConfirm={async () => {
        await client.members.leave({ id: orgId });
        await navigate({ to: '/organizations' });
        await refreshOwnOrganizations();
      }}
    >
      <Text>{t('leave.effect')}</Text>
    </ConfirmDialog>
  );
}
