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
import type { RolePermission } from '@reachout/contract/members.ts';

// The rules of a role as a table of subjects and actions, and back. Pure.

/** The rows of the table, each with the actions that there are operations for; all other cells mean nothing. */
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
  Consent: ['read', 'update'],
  Filter: ['create', 'read', 'update', 'delete'],
  Domain: ['create', 'read', 'update', 'delete'],
  Statistics: ['read'],
  Billing: ['read', 'update'],
  ApiKey: ['create', 'read', 'delete'],
  AuditLog: ['read'],
} as const satisfies Record<Exclude<Subject, 'all'>, readonly Action[]>;

export type RowSubject = keyof typeof actionsOf;
export const rowSubjects = Object.keys(actionsOf) as RowSubject[];

/** The columns. */
export const columnActions = ['read', 'create', 'update', 'delete', 'send'] as const;
export type ColumnAction = (typeof columnActions)[number];

export const isCell = (action: ColumnAction, subject: RowSubject): boolean =>
  (actionsOf[subject] as readonly Action[]).includes(action);

/** Whether a permission on this can be limited to clients or brands. */
export const isLimitable = (subject: Subject): boolean =>
  (clientSubjects as readonly Subject[]).includes(subject);

export function accessScopeOfRole(
  rules: readonly RolePermission[],
  action: Action,
  subject: Subject,
  organizationId: string,
): AccessScope {
  // The placeholder goes through as if it were one client among others.
  const filled = fillRules(rules.map(toAbilityRule), {
    organization_id: organizationId,
    client_ids: [memberClients],
  });
  return accessScopeOf(filled, action, subject, organizationId);
}

/** Whether an exception, not a missing permission, is why a cell says no. */
export const isException = (rules: readonly RolePermission[], action: Action, subject: Subject): boolean =>
  rules.findLast((rule) => covers(rule, action, subject))?.inverted === true;

/**
 * The rules with one cell changed. What the other rules say about it already is neither repeated nor lost: rules for
 * everything stay, and get an exception.
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
