/* oxlint-disable jsx-a11y/no-noninteractive-tabindex,
   jsx-a11y/no-noninteractive-element-to-interactive-role -- a table that arrow keys walk through is a grid, and what
   scrolls must take focus */
import { Text } from '@mantine/core';
import type { RolePermission } from '@reachout/contract/roles.ts';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { usePermissionName } from '#web/identity/organizations/use-denial-reason.ts';
import { QuietText } from '#web/ui/text.ts';
import { RoleCell, type CellPosition } from './role-cell.tsx';
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
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import classes from './role-matrix.module.css';

interface Props {
  label: string;
  rules: readonly RolePermission[];
  /** If omitted, the matrix is read-only. */
  onChange?: ((rules: RolePermission[]) => void) | undefined;
}

/**
 * Subjects by actions. Arrow keys move, Space toggles, Enter opens the choice of clients and brands if there is one. The
 * sentence below describes the current cell.
 */
export function RoleMatrix({ label, rules, onChange }: Props) {
  const { t } = useTranslation(['settings', 'organizations', 'common']);
  const { orgId } = useOrganization();
  const permissionName = usePermissionName();
  const names = useClientAndBrandNames();
  const accessScopeText = useAccessScopeText(names);
  const [at, setAt] = useState<CellPosition>({ row: 0, column: 0 });
  const [hovered, setHovered] = useState<CellPosition>();
  const cells = useRef(new Map<string, HTMLButtonElement>());

  const set = (subject: RowSubject, action: ColumnAction, accessScope: AccessScope) =>
    onChange?.(withAccessScope(rules, action, subject, accessScope, orgId));
  const say = (subject: RowSubject, action: ColumnAction) => {
    const accessScope = accessScopeOfRole(rules, action, subject, orgId);
    return t('roles.cell', {
      permission: permissionName(action, subject),
      accessScope: accessScopeText(accessScope, isException(rules, action, subject)),
    });
  };
  const told = cellAt(hovered ?? at);

  return (
    <>
      <QuietText mb="xs">{t(onChange ? 'roles.legendEdit' : 'roles.legend')}</QuietText>
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
                  return (
                    <td key={action}>
                      <RoleCell
                        handle={(node) => {
                          if (node) cells.current.set(keyOf(position), node);
                        }}
                        permission={permissionName(action, subject)}
                        label={say(subject, action)}
                        accessScope={accessScopeOfRole(rules, action, subject, orgId)}
                        isLimitable={isLimitable(subject)}
                        isCurrent={at.row === row && at.column === column}
                        names={names}
                        onChange={onChange && ((accessScope) => set(subject, action, accessScope))}
                        onFocus={() => setAt(position)}
                        onHover={(isOver) => setHovered(isOver ? position : undefined)}
                        onStep={(step) => {
                          const next = nextCell(position, step);
                          if (next) cells.current.get(keyOf(next))?.focus();
                        }}
                      />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {/* Screen readers read it as the name of the cell. */}
      <Text size="sm" mt="xs" aria-hidden mih={22}>
        {told && say(told.subject, told.action)}
      </Text>
    </>
  );
}

const keyOf = ({ row, column }: CellPosition): string => `${row}.${column}`;

function cellAt({ row, column }: CellPosition) {
  const subject = rowSubjects[row];
  const action = columnActions[column];
  return subject && action && isCell(action, subject) ? { subject, action } : undefined;
}

/** The next position in one direction that has a cell; empty positions are skipped. */
function nextCell(from: CellPosition, step: CellPosition): CellPosition | undefined {
  const next = { row: from.row + step.row, column: from.column + step.column };
  if (rowSubjects[next.row] === undefined || columnActions[next.column] === undefined) return undefined;
  return cellAt(next) ? next : nextCell(next, step);
}
