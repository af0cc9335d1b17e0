import { Button, Checkbox, Fieldset, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '#web/platform/preferences.ts';
import type { Column } from '#web/ui/data-table.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { DensityChoice } from './display-preferences.tsx';
import { useChangePreferences } from './preferences.ts';

/** A column of a list whose columns can be chosen. */
export interface ListColumn<Row> extends Column<Row> {
  name: string;
  /** Hidden by default. */
  isOptional?: boolean;
}

/**
 * The visible columns of a list, in the list's order, and the button that selects them. The selection is stored with the
 * account, so it also applies in other browsers.
 * @param columns  the first identifies the record of a row and is always visible
 */
export function useListColumns<Row>(
  list: string,
  columns: readonly ListColumn<Row>[],
  override?: ColumnOverride,
): { columns: ListColumn<Row>[]; choice: ReactNode } {
  const preferred = usePreferences()[`columns.${list}`];
  const chosen = override?.chosen ?? preferred;
  const shown = columns.filter(
    ({ name, isOptional = false }, place) => place === 0 || (chosen?.includes(name) ?? !isOptional),
  );
  return {
    columns: shown,
    choice: <ColumnChoice list={list} columns={columns} shown={shown} onChange={override?.change} />,
  };
}

/** Columns selected elsewhere, such as by a saved view, which is then also where a new selection is stored. */
export interface ColumnOverride {
  chosen: readonly string[];
  change: (columns: string[]) => void;
}

interface Props {
  list: string;
  columns: readonly { name: string; header: string }[];
  shown: readonly { name: string }[];
  onChange: ((names: string[]) => void) | undefined;
}

function ColumnChoice({ list, columns, shown, onChange }: Props) {
  const { t } = useTranslation('lists');
  const { error, change } = useChangePreferences();
  const names = shown.slice(1).map(({ name }) => name);
  const toggle = (name: string) => {
    const next = names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
    if (onChange) onChange(next);
    else change({ [`columns.${list}`]: next });
  };
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button leftSection={<IconColumns3 size={16} />}>{t('columns')}</Button>
      </Popover.Target>
      <Popover.Dropdown mah={480} style={{ overflowY: 'auto' }} aria-label={t('columns')}>
        <Stack gap="md">
          <ActionError error={error} />
          <Fieldset legend={t('shownColumns')} variant="unstyled">
            <Stack gap="sm" mt="xs">
              {columns.slice(1).map(({ name, header }) => (
                <Checkbox
                  key={name}
                  label={header}
                  checked={names.includes(name)}
                  onChange={() => toggle(name)}
                />
              ))}
            </Stack>
          </Fieldset>
          <DensityChoice change={change} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
