import { Alert, Button, Group, Select, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import type { Filter } from '@reachout/contract/filters.ts';
import { keepPreviousData, useQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { OwnerChoice } from '#web/content/owners/owner-choice.tsx';
import { ownerKey, ownerOf } from '#web/content/owners/owner-key.ts';
import { useContactLists, useContactListsQuery } from '#web/content/owners/use-contact-lists.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import classes from '#web/ui/two-columns.module.css';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { notify } from '#web/ui/notify.tsx';
import { SaveBar } from '#web/ui/save-bar.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { fromRule, kindOf, toRule, unfinishedKeys } from './rule.ts';
import { RuleBuilder } from './rule-builder.tsx';
import { AudienceResult } from './audience-result.tsx';
import { AudienceSkeleton } from './audience-skeleton.tsx';
import { useAudienceCount } from './use-audience-count.ts';

interface Props {
  /** What is edited; undefined makes a new one. */
  filter?: Filter;
  /** What a new one begins with. */
  start?: { name: string; brand_id: string };
  submitLabel?: string;
  onSaved: (filter: Filter) => Promise<void>;
}

/**
 * The rule on one side, who it reaches on the other, counted while it is written. A new one waits for the lists to
 * choose from: it must never be saved over another list than the one it is about to show.
 */
export function AudienceEditor(props: Props) {
  const { t } = useTranslation('audiences');
  const lists = useContactListsQuery();
  if (props.filter || !lists) return <AudienceForm {...props} />;
  return (
    <AsyncRegion<unknown> query={lists} what={t('whatOne')} skeleton={<AudienceSkeleton />}>
      {() => <AudienceForm {...props} />}
    </AsyncRegion>
  );
}

function AudienceForm({ filter, start, submitLabel, onSaved }: Props) {
  const { t } = useTranslation(['audiences', 'common']);
  const { api, orgId, clientId, can } = useOrganization();
  const canEdit = can(filter ? 'update' : 'create', 'Filter') && can('read', 'Content');
  const [group, setGroup] = useState(() => fromRule(filter?.rule ?? {}));
  // Compared as it is shown: a rule that says the same in another way is no change.
  const [stored, setStored] = useState(group);
  const checkName = useNameCheck();
  const startingOwner = ownerKey(
    filter ?? {
      client_id: start === undefined ? (clientId ?? null) : null,
      brand_id: start?.brand_id ?? null,
    },
  );
  const [owner, setOwner] = useState(startingOwner);
  const lists = useContactLists(owner);
  const [chosen, setChosen] = useState<string>();
  // What was chosen for one owner may belong to another one.
  const usable = lists.find((each) => each.collection === chosen) ?? lists[0];
  const collection = filter?.collection ?? usable?.collection ?? 'contacts';
  const nameOf = useCollectionName();
  const fields = useQuery(
    api.content.fields.queryOptions({
      input: { organization_id: orgId, collection },
      placeholderData: keepPreviousData,
    }),
  );
  const known = fields.data?.data ?? [];
  const kindOfField = (name: string) => {
    const found = known.find((field) => field.field === name);
    return found ? kindOf(found.type) : 'text';
  };
  const mapping = filter?.field_mapping ?? {
    email: 'email',
    unsubscribed: known.some((field) => field.field === 'unsubscribed') ? 'unsubscribed' : null,
  };
  // A rule the builder cannot show is left as it is.
  const rule = (group ? toRule(group, kindOfField) : (filter?.rule ?? {})) as Filter['rule'];
  const unfinished = group ? unfinishedKeys(group) : [];
  const create = useMutation(api.filters.create.mutationOptions());
  const update = useMutation(api.filters.update.mutationOptions());
  const form = useServerForm({
    initial: {
      name: filter?.name ?? start?.name ?? '',
      client_id: startingOwner,
      is_active: filter?.is_active ?? true,
      // Always empty: the rule is checked with the rest of the form.
      rule: '',
    },
    checks: {
      name: checkName,
      rule: () => (unfinished.length > 0 ? t('common:form.required') : null),
    },
    fieldOfCode: { name_taken: 'name', owner_in_use: 'client_id' },
    submit: async (values) => {
      const common = {
        name: values.name.trim(),
        ...ownerOf(values.client_id),
        rule,
        field_mapping: mapping,
      };
      const saved = filter
        ? await update.mutateAsync({ id: filter.id, is_active: values.is_active, ...common })
        : await create.mutateAsync({ organization_id: orgId, collection, ...common });
      setStored(group);
      form.setSaved(values);
      // What is saved once more says so in its bar.
      if (!filter) notify(t('saved'));
      await onSaved(saved);
    },
  });
  const values = form.fields.getValues();
  const count = useAudienceCount({
    ...ownerOf(values.client_id),
    collection,
    rule,
    field_mapping: mapping,
  });
  const isRuleChanged = JSON.stringify(group) !== JSON.stringify(stored);
  const dirty = canEdit && (form.fields.isDirty() || isRuleChanged);
  const discard = () => {
    form.fields.reset();
    setOwner(startingOwner);
    setGroup(stored);
  };

  return (
    <AsyncRegion query={fields} what={t('whatOne')} skeleton={<AudienceSkeleton />}>
      {({ data }) => (
        <div className={classes.columns}>
          <UnsavedGuard dirty={dirty} saving={form.pending} onSave={form.save} />
          <form noValidate onSubmit={form.onSubmit} data-read-only={!canEdit || undefined}>
            <Stack gap="md">
              <TextInput
                label={t('name')}
                maxLength={120}
                readOnly={!canEdit}
                {...form.fields.getInputProps('name')}
              />
              <OwnerChoice
                readOnly={!canEdit}
                value={values.client_id}
                onChange={(key) => {
                  form.fields.setFieldValue('client_id', key);
                  setOwner(key);
                }}
                error={form.fields.errors['client_id']}
              />
              {!filter && lists.length > 1 && (
                <Select
                  label={t('collection')}
                  allowDeselect={false}
                  data={lists.map((each) => ({ value: each.collection, label: nameOf(each.collection) }))}
                  value={collection}
                  onChange={(value) => value !== null && setChosen(value)}
                />
              )}
              <div>
                <Title order={2} size="h3" mb="xs">
                  {t('rules')}
                </Title>
                {group ? (
                  <>
                    {group.members.length === 0 && (
                      <Text c="dimmed" size="sm" mb="sm">
                        {t('everybody', { collection: nameOf(collection) })}
                      </Text>
                    )}
                    <fieldset disabled={!canEdit} className="bare">
                      <RuleBuilder
                        group={group}
                        fields={data}
                        unfinished={form.fields.errors['rule'] === undefined ? [] : unfinished}
                        onChange={setGroup}
                      />
                    </fieldset>
                  </>
                ) : (
                  <Alert color="yellow" variant="light">
                    <Text size="sm" mb="xs">
                      {t('unreadable')}
                    </Text>
                    <code className="break">{JSON.stringify(filter?.rule)}</code>
                  </Alert>
                )}
              </div>
              {filter && (
                <Switch
                  label={t('active')}
                  description={t('activeHint')}
                  disabled={!canEdit}
                  {...form.fields.getInputProps('is_active', { type: 'checkbox' })}
                />
              )}
              <ActionError error={form.error} title={t('common:error.saveFailed')} />
              {canEdit && !filter && (
                <Group>
                  <Button type="submit" loading={form.pending}>
                    {submitLabel ?? t('common:actions.save')}
                  </Button>
                </Group>
              )}
              {filter && (
                <SaveBar
                  changes={canEdit ? form.changes + Number(isRuleChanged) : 0}
                  saving={form.pending}
                  savedAt={form.savedAt}
                  onSave={() => void form.save()}
                  onDiscard={discard}
                />
              )}
            </Stack>
          </form>
          <AudienceResult {...count} fields={data} rule={rule} />
        </div>
      )}
    </AsyncRegion>
  );
}
