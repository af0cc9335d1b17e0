import { Button, Group, Popover, Stack } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { ActionError } from '#web/ui/states.tsx';
import { FinePrint } from '#web/ui/text.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { useFieldCheck } from './use-field-check.ts';
import { FieldInput } from './field-input.tsx';
import { useFieldLabel } from './field-label.ts';
import { changedFields, toFieldValue, type FieldValue } from './item-values.ts';
import { useSaveItem, type Conflict } from './use-save-item.ts';

// The form is written by hand: the field is one of a collection, which has its own checks.

interface Props {
  collection: string;
  field: Field;
  item: Item;
  onClose: () => void;
  /** The content of the cell. */
  children: ReactNode;
}

/** Edits one value of an item in place. Enter or a click elsewhere saves it, Escape discards the change. */
export function CellEditor({ collection, field, item, onClose, children }: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const labelOf = useFieldLabel();
  const check = useFieldCheck();
  const { save } = useSaveItem(collection);
  const [conflict, setConflict] = useState<Conflict & { mine: Item }>();
  const store = async (known: Item, mine: Item) => {
    const found = Object.keys(mine).length === 0 ? undefined : await save(known, mine);
    if (found === undefined) onClose();
    else setConflict({ ...found, mine });
  };
  const form = useServerForm<Record<string, FieldValue>>({
    initial: { [field.field]: toFieldValue(field, item[field.field]) },
    checks: { [field.field]: (value: FieldValue) => check(field, value) },
    submit: (values) => store(item, changedFields([field], item, values)),
  });
  const leave = () => (form.fields.isDirty() ? form.onSubmit() : onClose());
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    // In a tags input Enter adds the tag; in long text it inserts a line break.
    const isLine = event.target instanceof HTMLInputElement && field.type !== 'csv';
    if (event.key === 'Enter' && (isLine || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.onSubmit();
    }
  };
  if (conflict !== undefined)
    return (
      <>
        {children}
        <ConflictDialog
          conflict={conflict}
          fields={[field]}
          title={t('item.changedElsewhere')}
          mine={conflict.mine}
          onKeep={() => store(conflict.theirs, conflict.mine)}
          onTake={onClose}
          onClose={() => setConflict(undefined)}
        />
      </>
    );
  return (
    <Popover
      opened
      trapFocus
      closeOnEscape={false}
      onChange={(opened) => !opened && leave()}
      position="bottom-start"
      shadow="md"
      width={320}
    >
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown aria-label={t('cell.edit', { field: labelOf(field) })} onKeyDown={onKeyDown}>
        <form noValidate onSubmit={form.onSubmit}>
          <Stack gap="xs">
            <FieldInput
              field={field}
              name={labelOf(field)}
              isInTable
              input={form.fields.getInputProps(field.field, {
                type: field.type === 'boolean' ? 'checkbox' : 'input',
              })}
            />
            <ActionError error={form.error} title={t('common:error.saveFailed')} />
            <Group gap="xs" justify="space-between">
              <FinePrint>{t('cell.keys')}</FinePrint>
              <Button variant="filled" type="submit" size="xs" loading={form.pending}>
                {t('common:actions.save')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
