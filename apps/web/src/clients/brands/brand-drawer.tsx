import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { NameDrawer } from '#web/ui/name-drawer.tsx';

/** Creates a brand of a client. Mount it to open it. */
export function BrandDrawer({ clientId, onClose }: { clientId: string; onClose: () => void }) {
  const { t } = useTranslation('clients');
  const { api, orgId } = useOrganization();
  const create = useMutation(api.brands.create.mutationOptions());
  return (
    <NameDrawer
      title={t('newBrand')}
      label={t('nameBrand')}
      description={t('nameBrandHint')}
      submitLabel={t('newBrand')}
      done={t('brandCreated')}
      onClose={onClose}
      submit={(name) => create.mutateAsync({ organization_id: orgId, client_id: clientId, name })}
    />
  );
}
