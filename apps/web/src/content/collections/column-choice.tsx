import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readLocal, writeLocal } from '#web/platform/local.ts';

export interface ChoosableColumn {
  name: string;
  label: string;
}

/** Columns that are shown at first: more do not fit beside each other. */
const firstColumns = 6;

/** Which columns of a collection this browser shows, in the order of the collection. */
export function useShownColumns(collection: string, names: readonly string[], initial: readonly string[]) {
  const key = `columns.${collection}`;
  const [chosen, setChosen] = useState<readonly string[] | undefined>(() => readLocal(key)?.split(','));
  const known = chosen?.filter((name) => names.includes(name)) ?? [];
  const first = initial.filter((name) => names.includes(name));
  const shown = known.length > 0 ? known : first.length > 0 ? first : names.slice(0, firstColumns);
  return {
    shown: names.filter((name) => shown.includes(name)),
    choose: (columns: readonly string[]) => {
      writeLocal(key, columns.join(','));
      setChosen(columns);
    },
  };
}

interface Props {
  /** The first one says which item it is, and always stays. */
  columns: readonly ChoosableColumn[];
  shown: readonly string[];
  onChange: (shown: readonly string[]) => void;
}

/** Chooses the columns of a list. */
export function ColumnChoice({ columns, shown, onChange }: Props) {
  const { t } = useTranslation('collections');
  const toggle = (name: string) =>
    onChange(shown.includes(name) ? shown.filter((other) => other !== name) : [...shown, name]);
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} stroke={1.75} />}>
          {t('columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah={400} style={{ overflowY: 'auto' }} aria-label={t('columns')}>
        <Stack gap="sm">
          {columns.slice(1).map(({ name, label }) => (
            <Checkbox key={name} label={label} checked={shown.includes(name)} onChange={() => toggle(name)} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
