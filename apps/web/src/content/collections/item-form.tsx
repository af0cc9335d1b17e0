import { CloseButton, Group, Paper } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { consentField, hasSubscriptions } from '#web/content/collections/contact-fields.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { Form } from '#web/ui/form.tsx';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { SectionTitle } from '#web/ui/text.ts';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { useFieldCheck } from './use-field-check.ts';
import { FieldInput } from './field-input.tsx';
import { useFieldLabel } from './field-label.ts';
import { byPlace } from './field-order.ts';
import { changedFields, toFieldValue, toStoredValue, type FieldValue } from './item-values.ts';
import { useItemWords } from './item-words.ts';
import { useSaveItem, type Conflict } from './use-save-item.ts';

// The form is written by hand: the fields are those of a collection, which have their own checks.

type Values = Record<string, FieldValue>;

interface Props {
  collection: string;
  fields: readonly Field[];
  /** The item to edit; undefined to create one. */
  item?: Item | undefined;
  /** The item whose values a new one starts with, except for unique fields. */
  copyOf?: Item | undefined;
  /** Part of a page instead of a drawer. */
  isOnPage?: boolean;
  /** Whether it has a title and a button to close it on the page, too. */
  isTitled?: boolean;
  onClose: (isSaved: boolean) => void;
}

/**
 * The fields of an item, each with the input for its type. Empty inputs are stored as null. The subscription of a contact is
 * not one of the fields: the contact's page shows it and has its own actions to change it.
 */
export function ItemForm(props: Props) {
  const { collection, fields, item, copyOf, isOnPage = false, isTitled = false, onClose } = props;
  const { t } = useTranslation('common');
  const isContact = hasSubscriptions(fields);
  const words = useItemWords(isContact);
  const labelOf = useFieldLabel();
  const editable = fields
    .filter(({ readonly, field }) => !readonly && field !== 'id' && !(isContact && field === consentField))
    .toSorted(byPlace);
  const { form, conflict } = useItemForm({ collection, editable, item, copyOf }, () => {
    notify(words.saved);
    onClose(true);
  });
  const close = () => onClose(false);
  const title = item ? words.edit : words.add;
  const content = (
    <>
      <UnsavedGuard dirty={form.fields.isDirty()} saving={form.pending} onSave={form.save} />
      {editable.map((field) => (
        <FieldInput
          key={field.field}
          field={field}
          name={labelOf(field)}
          input={form.fields.getInputProps(field.field, {
            type: field.type === 'boolean' ? 'checkbox' : 'input',
          })}
        />
      ))}
      {conflict && <ConflictDialog {...conflict} fields={editable} title={words.changedElsewhere} />}
    </>
  );
  const common = { form, submitLabel: t('actions.save') };
  if (!isOnPage)
    return (
      <FormDrawer onClose={close} title={title} {...common}>
        {content}
      </FormDrawer>
    );
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-label={title}>
      {isTitled && (
        <Group justify="space-between" mb="md">
          <SectionTitle>{title}</SectionTitle>
          <CloseButton aria-label={t('actions.close')} onClick={close} />
        </Group>
      )}
      <Form {...common} onCancel={close}>
        {content}
      </Form>
    </Paper>
  );
}

interface Options extends Pick<Props, 'collection' | 'item' | 'copyOf'> {
  editable: readonly Field[];
}

/** Creates the item, or sends the edited fields; keeps the user's input if another user has changed the item meanwhile. */
function useItemForm({ collection, editable, item, copyOf }: Options, onSaved: () => void) {
  const { api, orgId } = useOrganization();
  const check = useFieldCheck();
  const create = useMutation(api.content.createItem.mutationOptions());
  const { save } = useSaveItem(collection);
  // The version that edits are compared with: after accepting another user's values, theirs.
  const [known, setKnown] = useState(item);
  const [conflict, setConflict] = useState<Conflict & { mine: Item }>();
  const startOf = (field: Field) =>
    copyOf === undefined || field.unique
      ? (field.default_value ?? (field.type === 'boolean' ? false : null))
      : copyOf[field.field];
  const initialOf = (field: Field) => toFieldValue(field, item ? item[field.field] : startOf(field));
  const form = useServerForm<Values>({
    initial: Object.fromEntries(editable.map((field) => [field.field, initialOf(field)])),
    checks: Object.fromEntries(
      editable.map((field) => [field.field, (value: FieldValue) => check(field, value)]),
    ),
    submit: async (values) => {
      if (known === undefined) {
        const data = Object.fromEntries(
          editable.map((field) => [field.field, toStoredValue(field, values[field.field])]),
        );
        await create.mutateAsync({ organization_id: orgId, collection, data });
        return onSaved();
      }
      const mine = changedFields(editable, known, values);
      const found = Object.keys(mine).length === 0 ? undefined : await save(known, mine);
      if (found === undefined) return onSaved();
      return setConflict({ ...found, mine });
    },
  });
  const take = ({ theirs, fields }: Conflict) => {
    setKnown(theirs);
    for (const field of editable)
      if (fields.includes(field.field))
        form.fields.setFieldValue(field.field, toFieldValue(field, theirs[field.field]));
    setConflict(undefined);
  };
  return {
    form,
    conflict: conflict && {
      conflict,
      mine: conflict.mine,
      onClose: () => setConflict(undefined),
      onTake: () => take(conflict),
      onKeep: async () => {
        const again = await save(conflict.theirs, conflict.mine);
        if (again === undefined) onSaved();
        else setConflict({ ...again, mine: conflict.mine });
      },
    },
  };
}
