import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLeavingOrganization } from '#web/identity/organizations/use-leaving-organization.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { api } from '#web/platform/api.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DisabledWithTooltip } from '#web/ui/disabled-with-tooltip.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { useIsLastOwner } from './use-is-last-owner.ts';

export function LeaveOrganization() {
  const { t } = useTranslation(['settings', 'problems']);
  const { organization } = useOrganization();
  const isLastOwner = useIsLastOwner();
  const [asking, setAsking] = useState(false);
  const reason = isLastOwner(organization.role) ? t('problems:code.last_owner') : undefined;
  return (
    <SectionCard title={t('leave.title')} hint={reason ?? t('leave.hint')}>
      <DisabledWithTooltip reason={reason} onClick={() => setAsking(true)}>
        {t('leave.action')}
      </DisabledWithTooltip>
      {asking && <LeaveDialog onClose={() => setAsking(false)} />}
    </SectionCard>
  );
}

export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { organization, orgId } = useOrganization();
  const leave = useMutation(api.members.leave.mutationOptions(useLeavingOrganization()));
  return (
    <ConfirmDialog
      title={t('leave.question', { name: organization.name })}
      text={t('leave.effect')}
      confirmLabel={t('leave.action')}
      onClose={onClose}
      onConfirm={() => leave.mutateAsync({ id: orgId })}
    />
  );
}
