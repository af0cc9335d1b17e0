import { Checkbox, TextInput } from '@mantine/core';
import type { Preset } from '@reachout/contract/content-presets.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';
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
  const checkName = useNameCheck();
  const create = useMutation(api.content.createPreset.mutationOptions());
  const update = useMutation(api.content.updatePreset.mutationOptions());
  const form = useServerForm({
    initial: { bookmark: view?.bookmark ?? '', is_shared: view?.is_shared ?? false },
    checks: { bookmark: checkName },
    submit: async ({ bookmark, is_shared }) => {
      const settings = { organization_id: orgId, bookmark: bookmark.trim(), is_shared };
      const saved = view
        ? await update.mutateAsync({ ...settings, id: view.id })
        : await create.mutateAsync({ ...settings, collection, ...shown });
      notify(t('views.saved'));
      onClose();
      onSaved(saved);
    },
  });
  return (
    <FormDrawer
      opened
      onClose={onClose}
      title={t(view ? 'views.edit' : 'views.saveAs')}
      form={form}
      submitLabel={t('common:actions.save')}
    >
      <TextInput
        data-autofocus
        label={t('views.name')}
        description={view ? undefined : t('views.nameHint')}
        {...form.fields.getInputProps('bookmark')}
      />
      {can('update', 'Content') && (
        <Checkbox
          label={t('views.share')}
          description={t('views.shareHint')}
          {...form.fields.getInputProps('is_shared', { type: 'checkbox' })}
        />
      )}
    </FormDrawer>
  );
}
