import { slugOf } from '@reachout/contract/rules/slug-of.ts';
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { OwnerChoice } from '#web/content/owners/owner-choice.tsx';
import { ownerKey, ownerOf } from '#web/content/owners/owner-key.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { notify } from '#web/ui/notify.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';

/** Creates a template with default content and opens the editor. */
export function TemplateForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('templates');
  const { api, orgId, clientId } = useOrganization();
  const navigate = useNavigate();
  const checkName = useNameCheck();
  const create = useMutation(api.templates.create.mutationOptions());
  const form = useServerForm({
    initial: { title: '', client_id: ownerKey({ client_id: clientId ?? null, brand_id: null }) },
    checks: { title: checkName },
    fieldOfCode: { name_taken: 'title' },
    submit: async ({ title, client_id }) => {
      const owner = ownerOf(client_id);
      const created = await create.mutateAsync({ organization_id: orgId, ...owner, title: title.trim() });
      notify(t('created'));
      await navigate({ to: '/o/$orgId/templates/$templateId', params: { orgId, templateId: created.id } });
    },
  });
  return (
    <FormDrawer isSmall opened onClose={onClose} title={t('new')} form={form} submitLabel={t('new')}>
      <TextInput
        data-autofocus
        label={t('titleField')}
        description={t('titleHint', { name: slugOf(form.fields.getValues().title) || '…' })}
        {...form.fields.getInputProps('title')}
      />
      <OwnerChoice
        value={form.fields.getValues().client_id}
        onChange={(key) => form.fields.setFieldValue('client_id', key)}
        error={form.fields.errors['client_id']}
      />
    </FormDrawer>
  );
}
