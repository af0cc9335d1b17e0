import type { Collection } from '@reachout/contract/content.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { OwnerChoice } from '#web/content/owners/owner-choice.tsx';
import { ownerKey, ownerOf } from '#web/content/owners/owner-key.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';

/** A field to identify items by; further fields are added on the page of the fields. */
const firstField = { field: 'title', type: 'string', required: true } as const;

interface Props {
  onCreated: (collection: Collection) => void;
  onClose: () => void;
}

/** Creates a collection with name, owner and kind. Mount it to open it. */
export function NewCollection({ onCreated, onClose }: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const { api, orgId, clientId } = useOrganization();
  const create = useMutation(api.content.createCollection.mutationOptions());
  const form = useRecordForm(boundsOf('content.createCollection'), {
    fields: {
      name: { label: t('collectionName') },
      kind: {
        label: t('words.kind'),
        initial: 'content',
        options: [
          { value: 'content', label: t('kind.content'), hint: t('kind.contentHint') },
          { value: 'contacts', label: t('words.contacts'), hint: t('kind.contactsHint') },
        ],
      },
      owner: {
        input: OwnerChoice,
        hint: t('common:owner.hint'),
        initial: ownerKey({ client_id: clientId ?? null, brand_id: null }),
      },
    },
    fieldOfCode: { name_taken: 'name' },
    save: async ({ name, owner, kind }) => {
      const input = { organization_id: orgId, name, ...ownerOf(owner) };
      onCreated(await create.mutateAsync(kind === 'contacts' ? input : { ...input, fields: [firstField] }));
    },
  });
  const title = t('newCollection');
  return <RecordDrawer form={form} title={title} submitLabel={title} onClose={onClose} />;
}
