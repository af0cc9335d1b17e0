import { Checkbox, MultiSelect, Popover, Radio, Stack, UnstyledButton } from '@mantine/core';
import { memberClients } from '@reachout/contract/abilities.ts';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import { useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClientAndBrandNames } from './access-scope-text.ts';
import { ClientChoice } from './client-choice.tsx';
import classes from './role-matrix.module.css';

export interface CellPosition {
  row: number;
  column: number;
}

const steps: Record<string, CellPosition> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

const signs = { all: '✓', nothing: '–', some: '◐' } as const;

interface Props {
  handle: Ref<HTMLButtonElement>;
  /** "Edit campaigns". */
  permission: string;
  /** The permission and its scope. */
  label: string;
  accessScope: AccessScope;
  /** Whether it can be limited to clients and brands. */
  isLimitable: boolean;
  /** Whether it is the cell in the tab order. */
  isCurrent: boolean;
  names: ClientAndBrandNames;
  /** If omitted, the cell is read-only. */
  onChange: ((accessScope: AccessScope) => void) | undefined;
  onFocus: () => void;
  onHover: (isOver: boolean) => void;
  onStep: (step: CellPosition) => void;
}

/** One permission of a role. Space toggles it; if it can be limited, Enter and click open the choice. */
export function RoleCell({ handle, onFocus, onHover, onStep, ...cell }: Props) {
  const { permission, label, accessScope, isLimitable, isCurrent, names, onChange } = cell;
  const [open, setOpen] = useState(false);
  const reach = typeof accessScope === 'string' ? accessScope : 'some';
  const opensChoice = onChange !== undefined && isLimitable;
  const toggle = () => onChange?.(accessScope === 'nothing' ? 'all' : 'nothing');
  const button = (
    <UnstyledButton
      ref={handle}
      className={classes.cell}
      data-access-scope={reach}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={label}
      aria-disabled={onChange === undefined}
      {...(opensChoice ? { 'aria-haspopup': 'dialog' as const } : {})}
      onFocus={onFocus}
      onMouseEnter={() => onHover(true)}
      onMouseLeave={() => onHover(false)}
      onKeyDown={(event) => {
        const step = steps[event.key];
        if (step || event.key === ' ') event.preventDefault();
        if (step) onStep(step);
        else if (event.key === ' ') toggle();
      }}
      // Some browsers fire a click on the release of Space, which has already been handled.
      onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
      onClick={() => (opensChoice ? setOpen(true) : toggle())}
    >
      <span aria-hidden>{signs[reach]}</span>
    </UnstyledButton>
  );
  if (!opensChoice) return button;
  return (
    <Popover opened={open} onChange={setOpen} width={320} shadow="md" trapFocus returnFocus withRoles={false}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={permission} onKeyDown={(event) => event.stopPropagation()}>
        <AccessScopeChoice label={permission} accessScope={accessScope} names={names} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  );
}

interface AccessScopeChoiceProps {
  /** Name of the permission: "Edit campaigns". */
  label: string;
  accessScope: AccessScope;
  names: ClientAndBrandNames;
  onChange: (accessScope: AccessScope) => void;
}

/** The whole organization, nothing, or only some clients and brands. */
function AccessScopeChoice({ label, accessScope, names, onChange }: AccessScopeChoiceProps) {
  const { t } = useTranslation('settings');
  const scope = typeof accessScope === 'string' ? { client_ids: [], brand_ids: [] } : accessScope;
  const change = (next: Partial<typeof scope>) => {
    const changed = { ...scope, ...next };
    onChange(changed.client_ids.length + changed.brand_ids.length === 0 ? 'nothing' : changed);
  };
  const named = scope.client_ids.filter((id) => id !== memberClients);
  const own = scope.client_ids.filter((id) => id === memberClients);
  return (
    <Stack gap="sm">
      <Radio.Group
        label={label}
        value={typeof accessScope === 'string' ? accessScope : 'some'}
        onChange={(next) => onChange(next === 'some' ? { client_ids: [memberClients], brand_ids: [] } : next)}
      >
        <Stack gap="xs">
          <Radio value="nothing" label={t('roles.choice.nothing')} />
          <Radio value="all" label={t('roles.choice.all')} />
          <Radio value="some" label={t('roles.choice.some')} />
        </Stack>
      </Radio.Group>
      {typeof accessScope !== 'string' && (
        <Stack gap="sm" pl="lg">
          <Checkbox
            label={t('roles.choice.ownClients')}
            checked={own.length > 0}
            onChange={(event) =>
              change({ client_ids: event.currentTarget.checked ? [memberClients, ...named] : named })
            }
          />
          <ClientChoice
            label={t('roles.choice.clients')}
            comboboxProps={{ withinPortal: false }}
            chosen={names.clients}
            value={named}
            onChange={(ids) => change({ client_ids: [...own, ...ids] })}
          />
          <MultiSelect
            searchable
            label={t('roles.choice.brands')}
            comboboxProps={{ withinPortal: false }}
            data={names.brands.map(({ id, name }) => ({ value: id, label: name }))}
            value={scope.brand_ids}
            onChange={(ids) => change({ brand_ids: ids })}
          />
        </Stack>
      )}
    </Stack>
  );
}
