import {
  clientSubjects,
  fillRules,
  accessScopeOf,
  memberClients,
  type AbilityRule,
  type Action,
  type Subject,
} from '@reachout/contract/abilities.ts';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import type { RolePermission } from '@reachout/contract/roles.ts';

// Pure functions that convert a role's rules to a matrix of subjects and actions and back.

/** The rows of the matrix, each with the actions that have operations; the other cells are empty. */
export const actionsOf = {
  Organization: ['read', 'update', 'delete'],
  Member: ['read', 'update', 'delete'],
  Invitation: ['create', 'read', 'delete'],
  Client: ['create', 'read', 'update', 'delete'],
  Brand: ['create', 'read', 'update', 'delete'],
  Campaign: ['create', 'read', 'update', 'delete'],
  Touchpoint: ['create', 'read', 'update', 'delete', 'send'],
  Template: ['create', 'read', 'update', 'delete'],
  Content: ['create', 'read', 'update', 'delete'],
  Consent: ['create', 'read', 'update', 'delete'],
  Filter: ['create', 'read', 'update', 'delete'],
  Domain: ['create', 'read', 'update', 'delete'],
  Statistics: ['read'],
  Billing: ['read', 'update'],
  ApiKey: ['create', 'read', 'delete'],
  AuditLog: ['read'],
} as const satisfies Record<Exclude<Subject, 'all'>, readonly Action[]>;

export type RowSubject = keyof typeof actionsOf;
export const rowSubjects = Object.keys(actionsOf) as RowSubject[];

export const columnActions = ['read', 'create', 'update', 'delete', 'send'] as const;
export type ColumnAction = (typeof columnActions)[number];

export const isCell = (action: ColumnAction, subject: RowSubject): boolean =>
  (actionsOf[subject] as readonly Action[]).includes(action);

/** Whether permissions on this subject can be limited to clients or brands. */
export const isLimitable = (subject: Subject): boolean =>
  (clientSubjects as readonly Subject[]).includes(subject);

export function accessScopeOfRole(
  rules: readonly RolePermission[],
  action: Action,
  subject: Subject,
  organizationId: string,
): AccessScope {
  // The placeholder is treated like the id of a client.
  const filled = fillRules(rules.map(toAbilityRule), {
    organization_id: organizationId,
    client_ids: [memberClients],
  });
  return accessScopeOf(filled, action, subject, organizationId);
}

/** Whether a cell is denied by an exception, not by a missing permission. */
export const isException = (rules: readonly RolePermission[], action: Action, subject: Subject): boolean =>
  rules.findLast((rule) => covers(rule, action, subject))?.inverted === true;

/**
 * @returns the rules with one cell changed. Other rules that affect the cell are neither duplicated nor removed: rules for
 * all subjects stay and get an exception.
 */
export function withAccessScope(
  rules: readonly RolePermission[],
  action: ColumnAction,
  subject: RowSubject,
  accessScope: AccessScope,
  organizationId: string,
): RolePermission[] {
  const others = rules.filter((rule) => rule.action !== action || rule.subject !== subject);
  const given = accessScopeOfRole(others, action, subject, organizationId);
  if (isSame(given, accessScope)) return others;
  const rule = { action, subject, conditions: null, inverted: false };
  const changed =
    given === 'nothing' || accessScope === 'all' ? [...others] : [...others, { ...rule, inverted: true }];
  if (accessScope === 'nothing') return changed;
  if (accessScope === 'all') return [...changed, rule];
  const named = accessScope.client_ids.filter((id) => id !== memberClients);
  if (accessScope.client_ids.includes(memberClients))
    changed.push({ ...rule, conditions: { client_id: { $in: memberClients } } });
  if (named.length > 0) changed.push({ ...rule, conditions: { client_id: { $in: named } } });
  if (accessScope.brand_ids.length > 0)
    changed.push({ ...rule, conditions: { brand_id: { $in: accessScope.brand_ids } } });
  return changed;
}

const toAbilityRule = ({ action, subject, conditions, inverted }: RolePermission): AbilityRule => ({
  action,
  subject,
  inverted,
  ...(conditions === null ? {} : { conditions }),
});

const covers = (rule: RolePermission, action: Action, subject: Subject): boolean =>
  (rule.action === action || rule.action === 'manage') &&
  (rule.subject === subject || rule.subject === 'all');

function isSame(one: AccessScope, other: AccessScope): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  const same = (ids: string[], others: string[]) =>
    ids.length === others.length && ids.every((id) => others.includes(id));
  return same(one.client_ids, other.client_ids) && same(one.brand_ids, other.brand_ids);
}
