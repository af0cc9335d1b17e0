import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { SectionCard } from '#web/ui/section-card.tsx';
import { TypedConfirmDialog } from '#web/ui/typed-confirm-dialog.tsx';
import { PermittedButton } from './permitted-button.tsx';
import { useLeavingOrganization } from './use-leaving-organization.ts';
import { useOrganization } from './use-organization.ts';

export function DeleteOrganization() {
  const { t } = useTranslation('settings');
  const { canEver } = useOrganization();
  const [asking, setAsking] = useState(false);
  if (!canEver('delete', 'Organization')) return null;
  return (
    <SectionCard title={t('remove.title')} hint={t('remove.hint')}>
      <PermittedButton
        permission={['delete', 'Organization']}
        c="var(--app-danger)"
        onClick={() => setAsking(true)}
      >
        {t('remove.title')}
      </PermittedButton>
      {asking && <DeleteDialog onClose={() => setAsking(false)} />}
    </SectionCard>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { organization, orgId } = useOrganization();
  const remove = useMutation(api.organizations.delete.mutationOptions(useLeavingOrganization()));
  return (
    <TypedConfirmDialog
      title={t('remove.question', { name: organization.name })}
      text={t('remove.effect')}
      label={t('remove.type', { name: organization.name })}
      isMatch={(typed) => typed === organization.name}
      mismatch={t('remove.mismatch')}
      confirmLabel={t('remove.title')}
      onConfirm={() => remove.mutateAsync({ id: orgId })}
      onClose={onClose}
    />
  );
}
