import type { Share } from '@reachout/contract/content-shares.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notifyOf } from '#web/ui/notify.tsx';

/** Confirms the end of a share. Mount it to open it. */
export function ShareDeletion({ share, onClose }: { share: Share; onClose: () => void }) {
  const { t } = useTranslation('shares');
  const { api, orgId } = useOrganization();
  const end = useMutation(api.content.deleteShare.mutationOptions(notifyOf(t('stopped'))));
  return (
    <ConfirmDialog
      title={t('stopTitle', { name: share.name ?? t('unnamed') })}
      text={t('stopBody')}
      confirmLabel={t('stop')}
      onConfirm={() => end.mutateAsync({ organization_id: orgId, id: share.id })}
      onClose={onClose}
    />
  );
}
