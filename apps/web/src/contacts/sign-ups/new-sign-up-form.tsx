import { NativeSelect, Text } from '@mantine/core';
import type { Brand } from '@reachout/contract/clients.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { useContactLists, useContactListsQuery } from '#web/content/owners/use-contact-lists.ts';
import { languages } from '@reachout/contract/rules/languages.ts';
import { languageNames } from '#web/i18n/i18n.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { notify } from '#web/ui/notify.tsx';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { firstTexts } from './first-texts.ts';

interface Props {
  brand: Brand;
  onClose: () => void;
}

/**
 * Makes a form with the first texts of its language, and opens it. Mount it to open it, which waits for the collections, so
 * that no form is made with another one than the one shown.
 */
export function NewSignUpForm(props: Props) {
  const query = useContactListsQuery();
  return query?.isPending === true ? null : <Fields {...props} error={query?.error} />;
}

function Fields({ brand, onClose, error }: Props & { error: unknown }) {
  const { t, i18n } = useTranslation(['signUpForms', 'common']);
  const { api, orgId } = useOrganization();
  const navigate = useNavigate();
  const nameOf = useCollectionName();
  const lists = useContactLists(`brand:${brand.id}`);
  const create = useMutation(api.signUpForms.create.mutationOptions());
  const form = useRecordForm(boundsOf('signUpForms.create'), {
    fields: {
      name: { label: t('common:form.name'), hint: t('nameHint') },
      collection: {
        label: t('collection'),
        hint: t('collectionHint'),
        initial: lists[0]?.collection,
        options: lists.map(({ collection }) => ({ value: collection, label: nameOf(collection) })),
      },
      language: {
        label: t('language'),
        hint: t('languageHint'),
        initial: i18n.language === 'de' ? 'de' : 'en',
        input: NativeSelect,
        inputProps: { data: languages.map((value) => ({ value, label: languageNames[value] })) },
      },
    },
    fieldOfCode: { name_taken: 'name' },
    save: async (values) => {
      const { id } = await create.mutateAsync({
        organization_id: orgId,
        brand_id: brand.id,
        ...values,
        ...firstTexts[values.language](brand),
      });
      notify(t('created'));
      await navigate({ to: '/o/$orgId/sign-up-forms/$formId', params: { orgId, formId: id } });
    },
  });
  return (
    <RecordDrawer isSmall form={form} title={t('new')} submitLabel={t('create')} onClose={onClose}>
      <ActionError error={error} />
      {!error && lists.length === 0 && <Text size="sm">{t('noCollection')}</Text>}
    </RecordDrawer>
  );
}
