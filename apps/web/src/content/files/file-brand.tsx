import type { ContentFile } from '@reachout/contract/content-files.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { BrandSelect } from '#web/clients/brands/brand-select.tsx';
import { useOwners } from '#web/content/owners/use-owners.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';

/** Chooses the brand whose library a file is in. Mount it to open it. */
export function FileBrand({ file, onClose }: { file: ContentFile; onClose: () => void }) {
  const { t } = useTranslation(['files', 'common']);
  const { api, orgId } = useOrganization();
  const { clients } = useOwners();
  const change = useMutation(api.content.updateFile.mutationOptions());
  const form = useRecordForm(boundsOf('content.updateFile'), {
    record: file,
    fields: {
      brand_id: {
        label: t('words.brand'),
        hint: t('brand.hint'),
        isOptional: false,
        input: BrandSelect,
        inputProps: { clearable: true, placeholder: t('brand.none'), clients },
      },
    },
    save: (values) => change.mutateAsync({ organization_id: orgId, id: file.id, ...values }),
    notice: t('brand.chosen'),
    onClose,
  });
  const submitLabel = t('common:actions.save');
  return (
    <RecordDrawer isSmall form={form} title={t('brand.choose')} submitLabel={submitLabel} onClose={onClose} />
  );
}
