/* oxlint-disable jsx-a11y/no-noninteractive-tabindex,
   jsx-a11y/no-noninteractive-element-to-interactive-role -- a table that arrow keys walk through is a grid, and what
   scrolls must take focus */
import { Popover, Text, UnstyledButton } from '@mantine/core';
import type { RolePermission } from '@reachout/contract/members.ts';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { usePermissionName } from '#web/identity/organizations/use-denial-reason.ts';
import { AccessScopeChoice } from './access-scope-choice.tsx';
import { useAccessScopeText, useClientAndBrandNames } from './access-scope-text.ts';
import {
  columnActions,
  accessScopeOfRole,
  isCell,
  isException,
  isLimitable,
  rowSubjects,
  withAccessScope,
  type ColumnAction,
  type RowSubject,
} from './permissions.ts';
import type { AccessScope } from '@reachout/contract/abilities.ts';
import classes from './role-matrix.module.css';

interface Props {
  label: string;
  rules: readonly RolePermission[];
  /** Without it the table can be read, not changed. */
  onChange?: ((rules: RolePermission[]) => void) | undefined;
}

interface CellPosition {
  row: number;
  column: number;
}

const steps: Record<string, CellPosition> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

/**
 * Subjects by actions. Arrow keys move, Space gives or takes, Enter opens the choice of clients and brands where there
 * is one. The sentence below says what the cell at hand means.
 */
export function RoleMatrix({ label, rules, onChange }: Props) {
  const { t } = useTranslation(['settings', 'organizations', 'common']);
  const { orgId } = useOrganization();
  const permissionName = usePermissionName();
  const names = useClientAndBrandNames();
  const accessScopeText = useAccessScopeText(names);
  const [at, setAt] = useState<CellPosition>({ row: 0, column: 0 });
  const [hovered, setHovered] = useState<CellPosition>();
  const [open, setOpen] = useState<CellPosition>();
  const cells = useRef(new Map<string, HTMLButtonElement>());

  const cellAt = ({ row, column }: CellPosition) => {
    const subject = rowSubjects[row];
    const action = columnActions[column];
    return subject && action && isCell(action, subject) ? { subject, action } : undefined;
  };
  const set = (subject: RowSubject, action: ColumnAction, accessScope: AccessScope) =>
    onChange?.(withAccessScope(rules, action, subject, accessScope, orgId));
  const say = (subject: RowSubject, action: ColumnAction) => {
    const accessScope = accessScopeOfRole(rules, action, subject, orgId);
    return t('roles.cell', {
      permission: permissionName(action, subject),
      accessScope: accessScopeText(accessScope, isException(rules, action, subject)),
    });
  };
  const onKey = (event: KeyboardEvent, position: CellPosition, subject: RowSubject, action: ColumnAction) => {
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      const next = nextCell(position, step, (candidate) => cellAt(candidate) !== undefined);
      if (next) cells.current.get(keyOf(next))?.focus();
    } else if (event.key === ' ') {
      event.preventDefault();
      if (onChange)
        set(
          subject,
          action,
          accessScopeOfRole(rules, action, subject, orgId) === 'nothing' ? 'all' : 'nothing',
        );
    }
  };
  const told = cellAt(hovered ?? at);

  return (
    <>
      <div
        className={classes.scroll}
        role="region"
        aria-label={t('common:table.scroll', { name: label })}
        tabIndex={0}
      >
        <table
          role="grid"
          aria-label={label}
          aria-readonly={onChange === undefined}
          className={classes.table}
        >
          <thead>
            <tr>
              <th scope="col">{t('roles.subject')}</th>
              {columnActions.map((action) => (
                <th key={action} scope="col">
                  {t(`roles.actions.${action}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rowSubjects.map((subject, row) => (
              <tr key={subject}>
                <th scope="row">{t(`organizations:subjects.${subject}`)}</th>
                {columnActions.map((action, column) => {
                  const position = { row, column };
                  if (!isCell(action, subject)) return <td key={action} aria-label={t('roles.noCell')} />;
                  const accessScope = accessScopeOfRole(rules, action, subject, orgId);
                  const limitable = onChange !== undefined && isLimitable(subject);
                  const toggle = () => set(subject, action, accessScope === 'nothing' ? 'all' : 'nothing');
                  const button = (
                    <UnstyledButton
                      ref={(node) => {
                        if (node) cells.current.set(keyOf(position), node);
                      }}
                      className={classes.cell}
                      data-access-scope={typeof accessScope === 'string' ? accessScope : 'some'}
                      tabIndex={at.row === row && at.column === column ? 0 : -1}
                      aria-label={say(subject, action)}
                      aria-disabled={onChange === undefined}
                      {...(limitable ? { 'aria-haspopup': 'dialog' as const } : {})}
                      onFocus={() => setAt(position)}
                      onMouseEnter={() => setHovered(position)}
                      onMouseLeave={() => setHovered(undefined)}
                      onKeyDown={(event) => onKey(event, position, subject, action)}
                      // Some browsers make a click of the release of Space, which was answered already.
                      onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
                      onClick={() => {
                        if (limitable) setOpen(position);
                        else toggle();
                      }}
                    >
                      <span aria-hidden>{signs[typeof accessScope === 'string' ? accessScope : 'some']}</span>
                    </UnstyledButton>
                  );
                  return (
                    <td key={action}>
                      {limitable ? (
                        <Popover
                          opened={open?.row === row && open.column === column}
                          onChange={(opened) => !opened && setOpen(undefined)}
                          width={320}
                          shadow="md"
                          trapFocus
                          returnFocus
                          withRoles={false}
                        >
                          <Popover.Target>{button}</Popover.Target>
                          <Popover.Dropdown
                            role="dialog"
                            aria-label={permissionName(action, subject)}
                            onKeyDown={(event) => event.stopPropagation()}
                          >
                            <AccessScopeChoice
                              label={permissionName(action, subject)}
                              accessScope={accessScope}
                              names={names}
                              onChange={(next) => set(subject, action, next)}
                            />
                          </Popover.Dropdown>
                        </Popover>
                      ) : (
                        button
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {/* Screen readers hear it as the name of the cell. */}
      <Text size="sm" mt="xs" aria-hidden mih={22}>
        {told && say(told.subject, told.action)}
      </Text>
      <Text size="sm" c="dimmed">
        {t(onChange ? 'roles.legendEdit' : 'roles.legend')}
      </Text>
    </>
  );
}

const signs = { all: '✓', nothing: '–', some: '◐' } as const;

const keyOf = ({ row, column }: CellPosition): string => `${row}.${column}`;

/** The next position in one direction that holds a cell; positions without one are passed over. */
function nextCell(
  from: CellPosition,
  step: CellPosition,
  isThere: (position: CellPosition) => boolean,
): CellPosition | undefined {
  for (
    let position = { row: from.row + step.row, column: from.column + step.column };
    position.row >= 0 &&
    position.column >= 0 &&
    position.row < rowSubjects.length &&
    position.column < columnActions.length;
    position = { row: position.row + step.row, column: position.column + step.column }
  ) {
    if (isThere(position)) return position;
  }
  return undefined;
}
