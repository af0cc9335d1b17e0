import {
  builtInRules,
  memberClients,
  usesMemberClients,
  type Action,
  type Subject,
} from '@reachout/contract/abilities.ts';
import type { OperationMeta } from '@reachout/contract/operation.ts';
import type { RolePermission } from '@reachout/contract/roles.ts';
import { contract } from '@reachout/contract/router.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  actionsOf,
  accessScopeOfRole,
  isException,
  withAccessScope,
  type RowSubject,
} from './permissions.ts';

const organization = crypto.randomUUID();
const client = crypto.randomUUID();
const brand = crypto.randomUUID();

const rule = (action: Action, subject: Subject, more: Partial<RolePermission> = {}): RolePermission => ({
  action,
  subject,
  conditions: null,
  inverted: false,
  ...more,
});
const everything = [rule('manage', 'all')];

test('every required permission has a cell', () => {
  const missing = needsIn(contract).filter(
    ([action, subject]) => !(actionsOf[subject as RowSubject] as readonly Action[]).includes(action),
  );
  assert.deepEqual(missing, []);
});

test('removing a cell of a general rule adds an exception', () => {
  const rules = withAccessScope(everything, 'delete', 'Client', 'nothing', organization);
  assert.equal(accessScopeOfRole(rules, 'delete', 'Client', organization), 'nothing');
  assert.ok(isException(rules, 'delete', 'Client'));
  assert.equal(accessScopeOfRole(rules, 'update', 'Client', organization), 'all');
  assert.deepEqual(withAccessScope(rules, 'delete', 'Client', 'all', organization), everything);
});

test('adding and removing a cell leaves no rule', () => {
  const given = withAccessScope([], 'create', 'Brand', 'all', organization);
  assert.deepEqual(given, [rule('create', 'Brand')]);
  assert.deepEqual(withAccessScope(given, 'create', 'Brand', 'nothing', organization), []);
});

test('limits to clients and brands survive a round trip', () => {
  const accessScope = { client_ids: [memberClients, client], brand_ids: [brand] };
  for (const before of [[], everything]) {
    const rules = withAccessScope(before, 'read', 'Campaign', accessScope, organization);
    assert.deepEqual(accessScopeOfRole(rules, 'read', 'Campaign', organization), accessScope);
    assert.ok(usesMemberClients(rules));
  }
});

test('only guests require clients', () => {
  const ofRole = (role: 'guest' | 'editor') =>
    builtInRules[role].map((entry) => ({ conditions: null, inverted: false, ...entry })) as RolePermission[];
  assert.ok(usesMemberClients(ofRole('guest')));
  assert.ok(!usesMemberClients(ofRole('editor')));
});

function needsIn(declared: object): [Action, Subject][] {
  const meta = (declared as { '~orpc'?: { meta?: OperationMeta } })['~orpc']?.meta;
  if (meta === undefined) return Object.values(declared).flatMap(needsIn);
  const { access } = meta;
  return access.who === 'member'
    ? [access.permission, ...access.additionalPermissions].map(([a, s]) => [a, s])
    : [];
}
