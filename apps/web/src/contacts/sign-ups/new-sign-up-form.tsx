import { NativeSelect, Select, Text, TextInput } from '@mantine/core';
import type { Brand } from '@reachout/contract/clients.ts';
import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { useContactLists, useContactListsQuery } from '#web/content/owners/use-contact-lists.ts';
import { languages, type Language } from '@reachout/contract/rules/languages.ts';
import { languageNames } from '#web/i18n/i18n.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';

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
  const checkName = useNameCheck();
  const lists = useContactLists(`brand:${brand.id}`);
  const create = useMutation(api.signUpForms.create.mutationOptions());
  const form = useServerForm<{ name: string; collection: string; language: string }>({
    initial: { name: '', collection: lists[0]?.collection ?? '', language: i18n.language },
    checks: {
      name: checkName,
      collection: (collection) => (collection === '' ? t('common:form.required') : null),
    },
    fieldOfCode: { name_taken: 'name' },
    submit: async ({ name, collection, language }) => {
      const chosen: SignUpForm['language'] = language === 'de' ? 'de' : 'en';
      const { id } = await create.mutateAsync({
        organization_id: orgId,
        brand_id: brand.id,
        name: name.trim(),
        collection,
        language: chosen,
        ...firstTexts[chosen](brand.name),
      });
      notify(t('created'));
      await navigate({ to: '/o/$orgId/sign-up-forms/$formId', params: { orgId, formId: id } });
    },
  });
  return (
    <FormDrawer isSmall opened onClose={onClose} title={t('new')} form={form} submitLabel={t('create')}>
      <TextInput
        data-autofocus
        label={t('common:form.name')}
        description={t('nameHint')}
        {...form.fields.getInputProps('name')}
      />
      <Select
        label={t('collection')}
        description={t('collectionHint')}
        allowDeselect={false}
        data={lists.map(({ collection }) => ({ value: collection, label: nameOf(collection) }))}
        {...form.fields.getInputProps('collection')}
      />
      <ActionError error={error} />
      {!error && lists.length === 0 && <Text size="sm">{t('noCollection')}</Text>}
      <NativeSelect
        label={t('language')}
        description={t('languageHint')}
        data={languages.map((value: Language) => ({ value, label: languageNames[value] }))}
        {...form.fields.getInputProps('language')}
      />
    </FormDrawer>
  );
}

type Texts = Pick<SignUpForm, 'title' | 'consent_text'>;

/** The texts that a new form begins with, in its own language, which need not be that of the screen. */
const firstTexts: Record<SignUpForm['language'], (brand: string) => Texts> = {
  en: (brand) => ({
    title: 'Sign up for our newsletter',
    consent_text: `I want to get emails from ${brand}. I can unsubscribe at any time with the link in each email.`,
  }),
  de: (brand) => ({
    title: 'Newsletter abonnieren',
    consent_text: `Ich möchte E-Mails von ${brand} erhalten. Ich kann mich jederzeit über den Link in jeder E-Mail abmelden.`,
  }),
};
