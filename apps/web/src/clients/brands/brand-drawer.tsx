import { TextInput } from '@mantine/core';
import type { TrackingPolicy } from '@reachout/contract/statuses.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { TrackingPolicyField } from './tracking-policy-field.tsx';

/** Creates a brand of a client. Mount it to open it. */
export function BrandDrawer({ clientId, onClose }: { clientId: string; onClose: () => void }) {
  const { t } = useTranslation(['clients', 'common']);
  const { api, orgId } = useOrganization();
  const create = useMutation(api.brands.create.mutationOptions());
  const form = useServerForm<{ name: string; tracking_policy: TrackingPolicy | '' }>({
    initial: { name: '', tracking_policy: '' },
    checks: {
      name: useNameCheck(),
      tracking_policy: (value) => (value === '' ? t('tracking.missing') : null),
    },
    submit: async ({ name, tracking_policy }) => {
      if (tracking_policy === '') return;
      await create.mutateAsync({
        organization_id: orgId,
        client_id: clientId,
        name: name.trim(),
        tracking_policy,
      });
      onClose();
      notify(t('brandCreated'));
    },
  });
  return (
    <FormDrawer
      isSmall
      opened
      onClose={onClose}
      title={t('newBrand')}
      form={form}
      submitLabel={t('newBrand')}
    >
      <TextInput
        data-autofocus
        label={t('nameBrand')}
        description={t('nameBrandHint')}
        {...form.fields.getInputProps('name')}
      />
      <TrackingPolicyField {...form.fields.getInputProps('tracking_policy')} />
    </FormDrawer>
  );
}
