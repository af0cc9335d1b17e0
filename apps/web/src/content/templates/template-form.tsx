import { slugOf } from '@reachout/contract/rules/slug-of.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { OwnerChoice } from '#web/content/owners/owner-choice.tsx';
import { ownerKey, ownerOf } from '#web/content/owners/owner-key.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { notify } from '#web/ui/notify.tsx';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';

/** Creates a template with default content and opens the editor. */
export function TemplateForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('templates');
  const { api, orgId, clientId } = useOrganization();
  const navigate = useNavigate();
  const create = useMutation(api.templates.create.mutationOptions());
  const form = useRecordForm(boundsOf('templates.create'), {
    fields: {
      title: {
        label: t('words.title'),
        hint: ({ title }) => t('titleHint', { name: slugOf(String(title)) || '…' }),
      },
      owner: {
        input: OwnerChoice,
        initial: ownerKey({ client_id: clientId ?? null, brand_id: null }),
      },
    },
    fieldOfCode: { name_taken: 'title' },
    save: async ({ title, owner }) => {
      const created = await create.mutateAsync({ organization_id: orgId, ...ownerOf(owner), title });
      notify(t('created'));
      await navigate({ to: '/o/$orgId/templates/$templateId', params: { orgId, templateId: created.id } });
    },
  });
  return <RecordDrawer isSmall form={form} title={t('new')} submitLabel={t('new')} onClose={onClose} />;
}
