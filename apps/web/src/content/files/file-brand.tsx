import type { ContentFile } from '@reachout/contract/content-files.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { BrandSelect } from '#web/clients/brands/brand-select.tsx';
import { useOwners } from '#web/content/owners/use-owners.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';

/** Chooses the brand whose library a file is in. Mount it to open it. */
export function FileBrand({ file, onClose }: { file: ContentFile; onClose: () => void }) {
  const { t } = useTranslation(['files', 'common']);
  const { api, orgId } = useOrganization();
  const { clients } = useOwners();
  const change = useMutation(api.content.updateFile.mutationOptions());
  const form = useServerForm({
    initial: { brand_id: file.brand_id },
    submit: async ({ brand_id }) => {
      await change.mutateAsync({ organization_id: orgId, id: file.id, brand_id });
      onClose();
      notify(t('brand.chosen'));
    },
  });
  return (
    <FormDrawer
      isSmall
      opened
      onClose={onClose}
      title={t('brand.choose')}
      form={form}
      submitLabel={t('common:actions.save')}
    >
      <BrandSelect
        data-autofocus
        clearable
        label={t('brand.label')}
        description={t('brand.hint')}
        placeholder={t('brand.none')}
        clients={clients}
        {...form.fields.getInputProps('brand_id')}
      />
    </FormDrawer>
  );
}
