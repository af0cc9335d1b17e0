import { Checkbox, NativeSelect, NumberInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { Brand } from '@reachout/contract/clients.ts';
import type { Field } from '@reachout/contract/content-fields.ts';
import { maxNetworkLimit, type SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import type { Topic } from '@reachout/contract/topics.ts';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { languages } from '@reachout/contract/rules/languages.ts';
import { languageNames } from '#web/i18n/i18n.ts';
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
  /** Of its brand. */
  topics: readonly Topic[];
}

/** What a form asks for, beside the public page; below, where it is used and what it asked for before. */
export function SignUpFormEditor({ form, brand, known, topics }: Props) {
  const denialReason = useDenialReason()('update', 'Consent', {
    client_id: brand.client_id,
    brand_id: brand.id,
  });
  const fields = useSignUpFormFields(form);
  return (
    <div className={classes.columns}>
      <Stack gap="md" miw={0}>
        {denialReason === undefined ? (
          <Inputs stored={form} policy={brand.tracking_policy} known={known} topics={topics} {...fields} />
        ) : (
          <StoredValues form={form} topics={topics} denialReason={denialReason} />
        )}
        <SignUpShare form={form} brand={brand} known={known} topics={topics} />
        <SignUpVersions form={form} topics={topics} />
      </Stack>
      <SignUpPreview form={form} isUnsaved={fields.form.changes > 0} />
    </div>
  );
}

interface InputProps extends Pick<Props, 'known' | 'topics'>, ReturnType<typeof useSignUpFormFields> {
  stored: SignUpForm;
  policy: Brand['tracking_policy'];
}

function Inputs({ stored, policy, known, topics, form, makesVersion }: InputProps) {
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
          <NumberInput
            label={`${t('networkLimit')} ${t('common:optional')}`}
            description={t('networkLimitHint')}
            min={1}
            max={maxNetworkLimit}
            allowDecimal={false}
            {...getInputProps('network_limit')}
          />
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
      <SectionCard title={t('topics.title')} hint={t('topics.hint')}>
        <TopicChoice
          topics={topics}
          value={getValues().topic_ids}
          onChange={(ids) => setFieldValue('topic_ids', ids)}
        />
      </SectionCard>
      <SectionCard title={t('tracking.title')}>
        {policy === 'with_consent' || getValues().asks_tracking ? (
          <Switch
            label={t('tracking.label')}
            description={t('tracking.hint')}
            {...getInputProps('asks_tracking', { type: 'checkbox' })}
          />
        ) : (
          <Text size="sm" c="dimmed">
            {t(`tracking.${policy}`)}
          </Text>
        )}
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

interface TopicChoiceProps {
  topics: readonly Topic[];
  value: readonly string[];
  onChange: (ids: string[]) => void;
}

/** The topics that a form offers. They stay in the order of the brand. */
function TopicChoice({ topics, value, onChange }: TopicChoiceProps) {
  const { t } = useTranslation('signUpForms');
  if (topics.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('topics.none')}
      </Text>
    );
  return (
    <Stack gap="sm">
      {topics.map((topic) => (
        <Checkbox
          key={topic.id}
          label={topic.name}
          description={topic.description}
          checked={value.includes(topic.id)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(
              topics.filter(({ id }) => (id === topic.id ? checked : value.includes(id))).map(({ id }) => id),
            )
          }
        />
      ))}
    </Stack>
  );
}

function CollectionName({ collection }: { collection: string }) {
  const { t } = useTranslation('signUpForms');
  const nameOf = useCollectionName();
  return <ValueList values={[{ name: t('collection'), value: nameOf(collection) }]} />;
}

/** Without permission to change: text instead of disabled fields. */
function StoredValues({
  form,
  topics,
  denialReason,
}: Pick<Props, 'form' | 'topics'> & { denialReason: string }) {
  const { t } = useTranslation(['signUpForms', 'common']);
  const nameOf = useCollectionName();
  const fields = form.fields.map(({ label, is_required }) => (is_required ? `${label} *` : label));
  const offered = topics.filter(({ id }) => form.topic_ids.includes(id)).map(({ name }) => name);
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
          { name: t('topics.title'), value: offered.join(', ') || t('common:none') },
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
