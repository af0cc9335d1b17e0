import { Popover, UnstyledButton } from '@mantine/core';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import { useState, type Ref } from 'react';
import { AccessScopeChoice } from './access-scope-choice.tsx';
import type { ClientAndBrandNames } from './access-scope-text.ts';
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
