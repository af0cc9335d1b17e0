import { Radio, Stack, TextInput } from '@mantine/core';
import type { Collection } from '@reachout/contract/content.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { OwnerChoice } from '#web/content/owners/owner-choice.tsx';
import { ownerKey, ownerOf } from '#web/content/owners/owner-key.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';

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
  const checkName = useNameCheck();
  const create = useMutation(api.content.createCollection.mutationOptions());
  const form = useServerForm({
    initial: { name: '', owner: ownerKey({ client_id: clientId ?? null, brand_id: null }), kind: 'content' },
    checks: { name: checkName },
    fieldOfCode: { name_taken: 'name' },
    submit: async ({ name, owner, kind }) => {
      const input = { organization_id: orgId, name: name.trim(), ...ownerOf(owner) };
      onCreated(await create.mutateAsync(kind === 'contacts' ? input : { ...input, fields: [firstField] }));
    },
  });
  return (
    <FormDrawer
      opened
      onClose={onClose}
      title={t('newCollection')}
      form={form}
      submitLabel={t('newCollection')}
    >
      <TextInput data-autofocus label={t('collectionName')} {...form.fields.getInputProps('name')} />
      <Radio.Group label={t('kind.header')} {...form.fields.getInputProps('kind')}>
        <Stack gap="xs">
          <Radio value="content" label={t('kind.content')} description={t('kind.contentHint')} />
          <Radio value="contacts" label={t('kind.contacts')} description={t('kind.contactsHint')} />
        </Stack>
      </Radio.Group>
      <OwnerChoice
        value={form.fields.getValues().owner}
        onChange={(key) => form.fields.setFieldValue('owner', key)}
        description={t('common:owner.hint')}
        error={form.fields.errors['owner']}
      />
    </FormDrawer>
  );
}
