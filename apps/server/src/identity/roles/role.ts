import {
  clientSubjects,
  fillRules,
  isBuiltInRole,
  accessScopeOf,
  type AbilityRule,
} from '@reachout/contract/abilities.ts';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import type { RolePermission } from '@reachout/contract/roles.ts';
import { isUuid } from '../../platform/ids.ts';

/**
 * Placeholder for the clients that a role's rules leave to each member; no client has this id. Grantors who are limited
 * to some clients do not cover it, and so cannot write roles for members of other clients.
 */
export const anyClientId = '00000000-0000-0000-0000-000000000000';

/** Rules with one entry for each action and subject, as screens show and change them. */
export const toRolePermissions = (rules: readonly AbilityRule[]): RolePermission[] =>
  rules.flatMap(({ action, subject, conditions, inverted }) =>
    [action].flat().flatMap((oneAction) =>
      [subject].flat().map((oneSubject) => ({
        action: oneAction,
        subject: oneSubject as RolePermission['subject'],
        conditions: (conditions ?? null) as RolePermission['conditions'],
        inverted: inverted ?? false,
      })),
    ),
  );

export const toAbilityRules = (rules: readonly RolePermission[]): AbilityRule[] =>
  rules.map(({ action, subject, conditions, inverted }) => ({
    action,
    subject,
    ...(conditions === null ? {} : { conditions: conditions as never }),
    ...(inverted ? { inverted } : {}),
  }));

/** The access scope of a rule's conditions; undefined for conditions that the server does not support. */
export function accessScopeOfPermission(
  rule: RolePermission,
  organizationId: string,
): Exclude<AccessScope, 'nothing'> | undefined {
  if (rule.conditions === null) return 'all';
  // An inverted rule with conditions would deny the subject altogether, contrary to what it states.
  if (rule.inverted) return undefined;
  const filled = fillRules(toAbilityRules([rule]), {
    organization_id: organizationId,
    client_ids: [anyClientId],
  });
  const accessScope = accessScopeOf(filled, rule.action, rule.subject, organizationId);
  if (
    accessScope === 'nothing' ||
    !filled.flatMap(({ conditions }) => leafValuesOf(conditions)).every(isUuid)
  )
    return undefined;
  return accessScope;
}

/** The values in conditions, without fields and operators. */
const leafValuesOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leafValuesOf) : [value];

export const conditionsHelp = `Limit a rule by client_id or brand_id, with one id or {"$in": [...]}, and only for ${clientSubjects.join(', ')}.`;

/** Description of a rule for the audit log, without ids. */
export const describePermission = ({ action, subject, conditions, inverted }: RolePermission): string =>
  `${inverted ? 'not ' : ''}${action} ${subject}${conditions === null ? '' : ` by ${Object.keys(conditions).join(', ')}`}`;

const keyLength = 40;

/**
 * The value of organization_users.role for a custom role of this name.
 * @param attempt  from 1; distinguishes roles that would have the same key
 */
export function roleKeyOf(name: string, attempt: number): string {
  const ascii = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  const key = /^[a-z]/.test(ascii) ? ascii : `role_${ascii}`.replace(/_$/, '');
  const suffix = attempt === 1 ? '' : `_${attempt}`;
  return `${key.slice(0, keyLength - suffix.length)}${suffix}`;
}

/** A custom role with the name of a built-in one would be mistaken for it. */
export const isBuiltInRoleName = (name: string): boolean => isBuiltInRole(name.trim().toLowerCase());
