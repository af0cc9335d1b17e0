import { Button, Group, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Filter } from '@reachout/contract/filters.ts';
import { useTranslation } from 'react-i18next';
import { useFieldLabel } from '#web/content/collections/field-label.ts';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { OwnerChoice } from '#web/content/owners/owner-choice.tsx';
import { ownerOf } from '#web/content/owners/owner-key.ts';
import { useContactListsQuery } from '#web/content/owners/use-contact-lists.ts';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import classes from '#web/ui/two-columns.module.css';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ColumnsSkeleton } from '#web/ui/page-skeletons.tsx';
import { SaveBar } from '#web/ui/save-bar.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { AudienceResult } from './audience-result.tsx';
import { RuleSection } from './rule-section.tsx';
import { isFor, type AudienceContacts, type MappedMeaning } from './use-audience-contacts.ts';
import { useAudienceCount } from './use-audience-count.ts';
import {
  useAudienceForm,
  withChosen,
  type AudienceFormState,
  type EditedAudience,
} from './use-audience-form.ts';

interface Props extends EditedAudience {
  submitLabel?: string;
}

/**
 * The rule on one side, its recipients on the other, counted while the rule is edited. For a new audience, the collections
 * are loaded first, so that it is never saved with another collection than the one shown.
 */
export function AudienceEditor(props: Props) {
  const { t } = useTranslation('audiences');
  const lists = useContactListsQuery();
  if (props.filter || !lists) return <AudienceForm {...props} />;
  return (
    <AsyncRegion<unknown>
      query={lists}
      what={t('records.what', { records: t('words.audience') })}
      skeleton={<AudienceSkeleton />}
    >
      {() => <AudienceForm {...props} />}
    </AsyncRegion>
  );
}

export const AudienceSkeleton = () => <ColumnsSkeleton main={[2, 3]} beside={[2, 5]} />;

function AudienceForm({ submitLabel, ...edited }: Props) {
  const { t } = useTranslation('audiences');
  const state = useAudienceForm(edited);
  const { form, contacts, draft, canEdit } = state;
  const { collection, query } = contacts;
  const { rule, isChanged } = draft;
  const count = useAudienceCount({
    ...ownerOf(form.fields.getValues().client_id),
    collection,
    rule,
    field_mapping: withChosen(contacts.mapping, form.fields.getValues()),
  });
  const dirty = canEdit && (form.fields.isDirty() || isChanged);
  return (
    <AsyncRegion
      query={query}
      what={t('records.what', { records: t('words.audience') })}
      skeleton={<AudienceSkeleton />}
    >
      {({ data }) => (
        <div className={classes.columns}>
          <UnsavedGuard dirty={dirty} saving={form.pending} onSave={form.save} />
          <form noValidate onSubmit={form.onSubmit} data-read-only={!canEdit || undefined}>
            <Stack gap="md">
              <AudienceFields filter={edited.filter} state={state} fields={data} />
              <Saving filter={edited.filter} state={state} submitLabel={submitLabel} />
            </Stack>
          </form>
          <AudienceResult {...count} fields={data} rule={rule} />
        </div>
      )}
    </AsyncRegion>
  );
}

interface PartProps {
  /** Undefined for a new audience. */
  filter: Filter | undefined;
  state: AudienceFormState;
}

function AudienceFields({ filter, state, fields }: PartProps & { fields: Field[] }) {
  const { t } = useTranslation('audiences');
  const { form, contacts, draft, canEdit, setOwner } = state;
  return (
    <>
      <TextInput label={t('name')} readOnly={!canEdit} {...form.fields.getInputProps('name')} />
      <OwnerChoice
        readOnly={!canEdit}
        value={form.fields.getValues().client_id}
        onChange={setOwner}
        error={form.fields.errors['client_id']}
      />
      {!filter && <ContactsChoice contacts={contacts} isShared={form.fields.getValues().client_id === ''} />}
      <RuleSection
        draft={draft}
        storedRule={filter?.rule}
        collection={contacts.collection}
        fields={fields}
        canEdit={canEdit}
        isChecked={form.fields.errors['rule'] !== undefined}
      />
      <MappedFields state={state} />
      {filter && (
        <Switch
          label={t('status.active')}
          description={t('activeHint')}
          disabled={!canEdit}
          {...form.fields.getInputProps('is_active', { type: 'checkbox' })}
        />
      )}
    </>
  );
}

/** Which fields of a contact have its time zone, its language and its consent to tracking. */
function MappedFields({ state: { form, contacts, canEdit } }: Pick<PartProps, 'state'>) {
  const { t } = useTranslation(['audiences', 'common']);
  const labelOf = useFieldLabel();
  const mapped = withChosen(contacts.mapping, form.fields.getValues());
  const choice = (meaning: MappedMeaning) => ({
    readOnly: !canEdit,
    allowDeselect: false,
    data: [
      { value: '', label: t('common:none') },
      ...contacts.fields
        .filter(isFor[meaning])
        .map((field) => ({ value: field.field, label: labelOf(field) })),
    ],
    ...form.fields.getInputProps(meaning),
    value: mapped[meaning] ?? '',
  });
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Select label={t('timeZoneField')} description={t('timeZoneFieldHint')} {...choice('time_zone')} />
      <Select label={t('languageField')} description={t('languageFieldHint')} {...choice('language')} />
      <Select
        label={t('trackingConsentField')}
        description={t('trackingConsentFieldHint')}
        {...choice('tracking_consent')}
      />
    </SimpleGrid>
  );
}

interface ContactsChoiceProps {
  contacts: AudienceContacts;
  /** Whether the audience is shared by all clients as well, so that sharing its contacts needs no mention. */
  isShared: boolean;
}

function ContactsChoice({ contacts: { lists, collection, choose }, isShared }: ContactsChoiceProps) {
  const { t } = useTranslation('audiences');
  const nameOf = useCollectionName();
  const chosen = lists.find((each) => each.collection === collection);
  const sharedHint =
    !isShared && chosen?.client_id === null
      ? t('sharedContacts', { collection: nameOf(collection) })
      : undefined;
  if (lists.length <= 1) return sharedHint !== undefined && <QuietText>{sharedHint}</QuietText>;
  return (
    <Select
      label={t('words.contactsFrom')}
      description={sharedHint}
      allowDeselect={false}
      data={lists.map((each) => ({ value: each.collection, label: nameOf(each.collection) }))}
      value={collection}
      onChange={(value) => value !== null && choose(value)}
    />
  );
}

/** A new audience is saved with its button, an existing one with the save bar. */
function Saving({ filter, state, submitLabel }: PartProps & { submitLabel: string | undefined }) {
  const { t } = useTranslation('common');
  const { form, draft, canEdit, discard } = state;
  return (
    <>
      <ActionError error={form.error} title={t('error.saveFailed')} />
      {canEdit && !filter && (
        <Group>
          <Button variant="filled" type="submit" loading={form.pending}>
            {submitLabel ?? t('actions.save')}
          </Button>
        </Group>
      )}
      {filter && (
        <SaveBar
          changes={canEdit ? form.changes + Number(draft.isChanged) : 0}
          saving={form.pending}
          savedAt={form.savedAt}
          onSave={() => void form.save()}
          onDiscard={discard}
        />
      )}
    </>
  );
}
