import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { TrackingPolicyField } from './tracking-policy-field.tsx';

/** Creates a brand of a client. Mount it to open it. */
export function BrandDrawer({ clientId, onClose }: { clientId: string; onClose: () => void }) {
  const { t } = useTranslation('clients');
  const { api, orgId } = useOrganization();
  const create = useMutation(api.brands.create.mutationOptions());
  const form = useRecordForm(boundsOf('brands.create'), {
    fields: {
      name: { label: t('nameBrand'), hint: t('nameBrandHint') },
      tracking_policy: { input: TrackingPolicyField, missing: t('tracking.missing') },
    },
    save: (values) => create.mutateAsync({ organization_id: orgId, client_id: clientId, ...values }),
    notice: t('brandCreated'),
    onClose,
  });
  return (
    <RecordDrawer isSmall form={form} title={t('newBrand')} submitLabel={t('newBrand')} onClose={onClose} />
  );
}
