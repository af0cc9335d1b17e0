import { Button, Group, Stack, Text } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#web/ui/dialog.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useFieldLabel } from './field-label.ts';
import { useFieldText } from './field-text.ts';
import type { Conflict } from './use-save-item.ts';

interface Props {
  conflict: Conflict;
  fields: readonly Field[];
  /** Says that another user has changed this. */
  title: string;
  /** The user's own values. */
  mine: Item;
  /** Overwrites the other user's values with the own ones. */
  onKeep: () => Promise<unknown>;
  onTake: () => void;
  onClose: () => void;
}

/** Another user has changed the same fields: shows both versions and asks which one to keep. Mount it to open it. */
export function ConflictDialog({ conflict, fields, title, mine, onKeep, onTake, onClose }: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const labelOf = useFieldLabel();
  const textOf = useFieldText();
  const keep = useMutation({ mutationFn: onKeep });
  const rows = fields.filter(({ field }) => conflict.fields.includes(field));
  const cell = (values: Item) => (field: Field) => (
    <span className="break">{textOf(field, values[field.field])}</span>
  );
  return (
    <Dialog size="lg" onClose={onClose} title={title}>
      <Stack gap="md">
        <Text>{t('conflict.body')}</Text>
        <PlainTable
          label={title}
          rows={rows}
          rowKey={({ field }) => field}
          columns={[
            { header: t('words.field'), cell: labelOf },
            { header: t('conflict.theirs'), cell: cell(conflict.theirs) },
            { header: t('conflict.mine'), cell: cell(mine) },
          ]}
        />
        <ActionError error={keep.error} title={t('common:error.saveFailed')} />
        <Group justify="flex-end" gap="xs">
          <Button data-autofocus onClick={onClose}>
            {t('common:unsaved.stay')}
          </Button>
          <Button onClick={onTake}>{t('conflict.take')}</Button>
          <Button variant="filled" loading={keep.isPending} onClick={() => keep.mutate()}>
            {t('conflict.keep')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
