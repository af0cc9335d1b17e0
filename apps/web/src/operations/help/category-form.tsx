import { Textarea, TextInput } from '@mantine/core';
import type { EditedFaqCategory } from '@reachout/contract/help.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { languages } from '@reachout/contract/rules/languages.ts';
import { languageNames } from '#web/i18n/i18n.ts';
import { api } from '#web/platform/api.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { useNameRule } from './use-name-rule.ts';

interface Props {
  /** Undefined for a new one. */
  category: Pick<EditedFaqCategory, 'name' | 'en' | 'de' | 'updated_at'> | undefined;
  taken: readonly string[];
  onClose: () => void;
}

/**
 * The title of a category in both languages, and what it is about. By hand: each language is an object of the input, and one of
 * them may be missing as a whole.
 */
export function CategoryForm({ category, taken, onClose }: Props) {
  const { t } = useTranslation(['helpEditor', 'common']);
  const checkName = useNameRule(taken);
  const { title, description } = boundsOf('editedHelp.saveFaqCategory').en.fields ?? {};
  const save = useMutation(api.editedHelp.saveFaqCategory.mutationOptions());
  const form = useServerForm({
    initial: {
      name: category?.name ?? '',
      en_title: category?.en.title ?? '',
      en_description: category?.en.description ?? '',
      de_title: category?.de?.title ?? '',
      de_description: category?.de?.description ?? '',
    },
    checks: {
      name: (value) => (category ? null : checkName(value)),
      en_title: (value) => (value.trim() === '' ? t('common:form.required') : null),
      de_title: (value, values) =>
        value.trim() === '' && values.de_description.trim() !== '' ? t('common:form.required') : null,
    },
    limits: {
      en_title: title?.max,
      de_title: title?.max,
      en_description: description?.max,
      de_description: description?.max,
    },
    submit: async (values) => {
      await save.mutateAsync({
        name: values.name.trim(),
        if_updated_at: category?.updated_at ?? null,
        en: { title: values.en_title, description: values.en_description },
        de:
          values.de_title.trim() === ''
            ? null
            : { title: values.de_title, description: values.de_description },
      });
      notify(t('common:actions.saved'));
      onClose();
    },
  });
  return (
    <FormDrawer
      onClose={onClose}
      title={category ? t('editCategory') : t('newCategory')}
      form={form}
      submitLabel={t('common:actions.save')}
    >
      {category === undefined && (
        <TextInput label={t('name')} description={t('nameHint')} {...form.fields.getInputProps('name')} />
      )}
      {languages.map((language) => (
        <div key={language} lang={language}>
          <TextInput
            label={`${t('words.title')} (${languageNames[language]})`}
            {...form.fields.getInputProps(`${language}_title`)}
          />
          <Textarea
            mt="sm"
            minRows={2}
            label={`${t('words.description')} (${languageNames[language]})`}
            {...form.fields.getInputProps(`${language}_description`)}
          />
        </div>
      ))}
    </FormDrawer>
  );
}
