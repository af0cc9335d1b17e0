import { NativeSelect, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { Brand } from '@reachout/contract/clients.ts';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { languageNames, languages } from '#web/i18n/i18n.ts';
import { useDenialReason } from '#web/identity/organizations/use-denial-reason.ts';
import { SaveBarForm } from '#web/ui/save-bar-form.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import classes from '#web/ui/two-columns.module.css';
import { ValueList } from '#web/ui/value-list.tsx';
import { SignUpFieldList } from './sign-up-field-list.tsx';
import { SignUpPreview } from './sign-up-preview.tsx';
import { SignUpShare } from './sign-up-share.tsx';
import { SignUpVersions } from './sign-up-versions.tsx';
import { useSignUpFormFields } from './use-sign-up-form-fields.ts';

interface Props {
  form: SignUpForm;
  brand: Brand;
  /** The fields of its collection. */
  known: readonly Field[];
}

/** What a form asks for, beside the public page; below, where it is used and what it asked for before. */
export function SignUpFormEditor({ form, brand, known }: Props) {
  const denialReason = useDenialReason()('update', 'Consent', {
    client_id: brand.client_id,
    brand_id: brand.id,
  });
  const fields = useSignUpFormFields(form);
  return (
    <div className={classes.columns}>
      <Stack gap="md" miw={0}>
        {denialReason === undefined ? (
          <Inputs stored={form} known={known} {...fields} />
        ) : (
          <StoredValues form={form} denialReason={denialReason} />
        )}
        <SignUpShare form={form} known={known} topics={[]} />
        <SignUpVersions form={form} />
      </Stack>
      <SignUpPreview url={form.url} isUnsaved={fields.form.changes > 0} />
    </div>
  );
}

interface InputProps extends Pick<Props, 'known'>, ReturnType<typeof useSignUpFormFields> {
  stored: SignUpForm;
}

function Inputs({ stored, known, form, makesVersion }: InputProps) {
  const { t } = useTranslation(['signUpForms', 'common']);
  const { getInputProps, getValues, setFieldValue, errors } = form.fields;
  return (
    <SaveBarForm form={form}>
      <SectionCard title={t('details')}>
        <Stack gap="md">
          <TextInput label={t('common:form.name')} description={t('nameHint')} {...getInputProps('name')} />
          <TextInput label={t('titleField')} description={t('titleHint')} {...getInputProps('title')} />
          <NativeSelect
            label={t('language')}
            description={t('languageHint')}
            data={languages.map((value) => ({ value, label: languageNames[value] }))}
            {...getInputProps('language')}
          />
          <CollectionName collection={stored.collection} />
        </Stack>
      </SectionCard>
      <SectionCard title={t('fields.title')} hint={t('fields.hint')}>
        <SignUpFieldList
          known={known}
          value={getValues().fields}
          onChange={(fields) => setFieldValue('fields', fields)}
          error={errors['fields']}
        />
      </SectionCard>
      <SectionCard title={t('tracking.title')}>
        <Switch
          label={t('tracking.label')}
          description={t('tracking.hint')}
          {...getInputProps('asks_tracking', { type: 'checkbox' })}
        />
      </SectionCard>
      <SectionCard title={t('consent.title')}>
        <Textarea
          autosize
          minRows={3}
          maxRows={12}
          label={t('consent.label')}
          description={t('consent.hint')}
          {...getInputProps('consent_text')}
        />
        <Text size="sm" c="dimmed" mt="sm" maw={640}>
          {t('consent.versionNote', { version: stored.version })}
        </Text>
        <Text size="sm" mt={4} role="status">
          {makesVersion ? t('consent.newVersion', { version: stored.version + 1 }) : ''}
        </Text>
      </SectionCard>
    </SaveBarForm>
  );
}

function CollectionName({ collection }: { collection: string }) {
  const { t } = useTranslation('signUpForms');
  const nameOf = useCollectionName();
  return <ValueList values={[{ name: t('collection'), value: nameOf(collection) }]} />;
}

/** Without permission to change: text instead of disabled fields. */
function StoredValues({ form, denialReason }: { form: SignUpForm; denialReason: string }) {
  const { t } = useTranslation(['signUpForms', 'common']);
  const nameOf = useCollectionName();
  const fields = form.fields.map(({ label, is_required }) => (is_required ? `${label} *` : label));
  return (
    <SectionCard title={t('details')}>
      <Text c="dimmed" mb="md">
        {denialReason}
      </Text>
      <ValueList
        values={[
          { name: t('titleField'), value: form.title },
          { name: t('language'), value: languageNames[form.language] },
          { name: t('collection'), value: nameOf(form.collection) },
          { name: t('fields.title'), value: fields.join(', ') || t('common:none') },
          {
            name: t('consent.label'),
            value: (
              <span className="break" style={{ whiteSpace: 'pre-line' }}>
                {form.consent_text}
              </span>
            ),
          },
        ]}
      />
    </SectionCard>
  );
}
