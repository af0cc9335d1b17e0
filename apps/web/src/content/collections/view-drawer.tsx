import type { Preset } from '@reachout/contract/content-presets.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { notify } from '#web/ui/notify.tsx';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import type { toPreset } from './use-views.ts';

interface Props {
  collection: string;
  /** The view to rename or share; undefined to save the current display as a new one. */
  view: Preset | undefined;
  shown: ReturnType<typeof toPreset>;
  onSaved: (view: Preset) => void;
  onClose: () => void;
}

/** Name and sharing of a saved view. Mount it to open it. */
export function ViewDrawer({ collection, view, shown, onSaved, onClose }: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const { api, orgId, can } = useOrganization();
  const create = useMutation(api.content.createPreset.mutationOptions());
  const update = useMutation(api.content.updatePreset.mutationOptions());
  const form = useRecordForm(boundsOf('content.createPreset'), {
    record: view,
    fields: {
      bookmark: { label: t('views.name'), hint: view ? undefined : t('views.nameHint') },
      is_shared: {
        kind: 'checkbox',
        label: t('views.share'),
        hint: t('views.shareHint'),
        isShown: () => can('update', 'Content'),
      },
    },
    save: async (values) => {
      const settings = { organization_id: orgId, ...values };
      const saved = view
        ? await update.mutateAsync({ ...settings, id: view.id })
        : await create.mutateAsync({ ...settings, collection, ...shown });
      notify(t('views.saved'));
      onClose();
      onSaved(saved);
    },
  });
  return (
    <RecordDrawer
      form={form}
      title={t(view ? 'views.edit' : 'views.saveAs')}
      submitLabel={t('common:actions.save')}
      onClose={onClose}
    />
  );
}
