import { Checkbox, NativeSelect, Stack, Text } from '@mantine/core';
import type { Brand } from '@reachout/contract/clients.ts';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import type { Topic } from '@reachout/contract/topics.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { languages } from '@reachout/contract/rules/languages.ts';
import { languageNames } from '#web/i18n/i18n.ts';
import { useDenialReason } from '#web/identity/organizations/use-denial-reason.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordFields, RecordValues } from '#web/ui/record-fields.tsx';
import { SaveBarForm } from '#web/ui/save-bar-form.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { QuietText } from '#web/ui/text.ts';
import classes from '#web/ui/two-columns.module.css';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { ValueList } from '#web/ui/value-list.tsx';
import { SignUpFieldList } from './sign-up-field-list.tsx';
import { SignUpPreview } from './sign-up-preview.tsx';
import { SignUpShare } from './sign-up-share.tsx';
import { SignUpVersions } from './sign-up-versions.tsx';

interface Props {
  form: SignUpForm;
  brand: Brand;
  /** The fields of its collection. */
  known: readonly Field[];
  /** Of its brand. */
  topics: readonly Topic[];
}

/** What a form asks for, beside the public page; below, where it is used and what it asked for before. */
export function SignUpFormEditor({ form: stored, brand, known, topics }: Props) {
  const denialReason = useDenialReason()('update', 'Consent', {
    client_id: brand.client_id,
    brand_id: brand.id,
  });
  const form = useSignUpFormFields(stored, known, topics);
  return (
    <div className={classes.columns}>
      <Stack gap="md" miw={0}>
        {denialReason === undefined ? (
          <Inputs stored={stored} policy={brand.tracking_policy} form={form} />
        ) : (
          <StoredValues stored={stored} form={form} denialReason={denialReason} />
        )}
        <SignUpShare form={stored} brand={brand} known={known} topics={topics} />
        <SignUpVersions form={stored} topics={topics} />
      </Stack>
      <SignUpPreview form={stored} isUnsaved={form.changes > 0} />
    </div>
  );
}

interface PartProps {
  stored: SignUpForm;
  form: ReturnType<typeof useSignUpFormFields>;
}

function Inputs({ stored, policy, form }: PartProps & { policy: Brand['tracking_policy'] }) {
  const { t } = useTranslation('signUpForms');
  const makesVersion = versioned.some((name) => form.fields.isDirty(name));
  return (
    <SaveBarForm form={form}>
      <SectionCard title={t('details')}>
        <Stack gap="md">
          <RecordFields form={form} only={['name', 'title', 'language']} />
          <CollectionName collection={stored.collection} />
          <RecordFields form={form} only={['network_limit']} />
        </Stack>
      </SectionCard>
      <SectionCard title={t('words.fields')} hint={t('fields.hint')}>
        <RecordFields form={form} only={['fields']} />
      </SectionCard>
      <SectionCard title={t('words.topics')} hint={t('topics.hint')}>
        <RecordFields form={form} only={['topic_ids']} />
      </SectionCard>
      <SectionCard title={t('tracking.title')}>
        {policy === 'with_consent' || form.current.asks_tracking ? (
          <RecordFields form={form} only={['asks_tracking']} />
        ) : (
          <QuietText>{t(`tracking.${policy}`)}</QuietText>
        )}
      </SectionCard>
      <SectionCard title={t('consent.title')}>
        <RecordFields form={form} only={['consent_text']} />
        <QuietText mt="sm" maw={640}>
          {t('consent.versionNote', { version: stored.version })}
        </QuietText>
        <Text size="sm" mt={4} role="status">
          {makesVersion ? t('consent.newVersion', { version: stored.version + 1 }) : ''}
        </Text>
      </SectionCard>
    </SaveBarForm>
  );
}

/** Values whose change makes a new version. */
const versioned = ['title', 'language', 'fields', 'topic_ids', 'asks_tracking', 'consent_text'] as const;

function useSignUpFormFields(stored: SignUpForm, known: Props['known'], topics: Props['topics']) {
  const { t } = useTranslation(['signUpForms', 'common']);
  const checkName = useNameCheck();
  const { api } = useOrganization();
  const update = useMutation(api.signUpForms.update.mutationOptions());
  return useRecordForm(boundsOf('signUpForms.update'), {
    record: stored,
    fields: {
      name: { label: t('common:form.name'), hint: t('nameHint') },
      title: { label: t('words.title'), hint: t('titleHint') },
      language: {
        label: t('language'),
        hint: t('languageHint'),
        input: NativeSelect,
        inputProps: { data: languages.map((value) => ({ value, label: languageNames[value] })) },
        text: (language: SignUpForm['language']) => languageNames[language],
      },
      network_limit: { label: t('words.networkLimit'), hint: t('networkLimitHint') },
      fields: {
        label: t('words.fields'),
        input: SignUpFieldList,
        inputProps: { known },
        text: (asked: SignUpForm['fields']) =>
          asked.map(({ label, is_required }) => (is_required ? `${label} *` : label)).join(', '),
      },
      topic_ids: {
        label: t('words.topics'),
        input: TopicChoice,
        inputProps: { topics },
        text: (ids: string[]) =>
          topics
            .filter(({ id }) => ids.includes(id))
            .map(({ name }) => name)
            .join(', '),
      },
      asks_tracking: { label: t('tracking.label'), hint: t('tracking.hint') },
      consent_text: { label: t('consent.label'), hint: t('consent.hint'), rows: [3, 12] },
    },
    checks: {
      fields: (fields) => fields.map(({ label }) => checkName(label)).find((error) => error !== null) ?? null,
    },
    fieldOfCode: { name_taken: 'name' },
    save: (values) =>
      update.mutateAsync({
        ...values,
        id: stored.id,
        fields: values.fields.map((field) => ({ ...field, label: field.label.trim() })),
      }),
  });
}

interface TopicChoiceProps {
  topics: readonly Topic[];
  value: readonly string[];
  onChange: (ids: string[]) => void;
}

/** The topics that a form offers. They stay in the order of the brand. */
function TopicChoice({ topics, value, onChange }: TopicChoiceProps) {
  const { t } = useTranslation('signUpForms');
  if (topics.length === 0) return <QuietText>{t('topics.none')}</QuietText>;
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
function StoredValues({ stored, form, denialReason }: PartProps & { denialReason: string }) {
  const { t } = useTranslation('signUpForms');
  return (
    <SectionCard title={t('details')}>
      <Text c="dimmed" mb="md">
        {denialReason}
      </Text>
      <Stack gap="sm">
        <RecordValues form={form} only={['title', 'language']} />
        <CollectionName collection={stored.collection} />
        <RecordValues form={form} only={['fields', 'topic_ids', 'consent_text']} />
      </Stack>
    </SectionCard>
  );
}
