import { TextInput } from '@mantine/core';
import type { DomainDetails } from '@reachout/contract/domains.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { OwnerChoice } from '#web/content/owners/owner-choice.tsx';
import { ownerKey, ownerOf } from '#web/content/owners/owner-key.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';

interface Props {
  domain: DomainDetails;
  onClose: () => void;
}

/** Changes owner and destination. */
export function DomainSettings({ domain, onClose }: Props) {
  const { t } = useTranslation(['domains', 'common']);
  const { api } = useOrganization();
  const update = useMutation(api.domains.update.mutationOptions());
  const form = useServerForm({
    initial: { client_id: ownerKey(domain), destination: domain.destination ?? '' },
    rejected: { destination: t('destinationInvalid') },
    submit: async ({ client_id, destination }) => {
      await update.mutateAsync({
        id: domain.id,
        ...(client_id === ownerKey(domain) ? {} : ownerOf(client_id)),
        destination: destination.trim() || null,
      });
      notify(t('saved'));
      onClose();
    },
  });
  return (
    <FormDrawer
      isSmall
      opened
      onClose={onClose}
      title={t('change')}
      form={form}
      submitLabel={t('common:actions.save')}
    >
      <OwnerChoice
        value={form.fields.getValues().client_id}
        onChange={(key) => form.fields.setFieldValue('client_id', key)}
        description={t('ownerHint')}
        error={form.fields.errors['client_id']}
      />
      <TextInput
        type="url"
        label={t('destination')}
        description={t('destinationHint')}
        {...form.fields.getInputProps('destination')}
      />
    </FormDrawer>
  );
}
