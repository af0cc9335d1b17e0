import { newId } from '../platform/ids.ts';
import { signInGuest } from './actors.ts';
import type { Person, TestApp } from './app.ts';
import { insertRows } from '../sample/rows.ts';

interface Rule {
  action: string;
  subject: string;
  conditions?: object | undefined;
}

/** Signs in a new member whose role has these rules alone, limited to these clients if there are any. */
export async function signInWithRules(
  app: TestApp,
  organization_id: string,
  rules: readonly Rule[],
  clientIds: readonly string[] = [],
): Promise<Person> {
  const role = `role_${newId().slice(-12)}`;
  await insertRows(app.owner, 'organization_roles', { organization_id, role, name: role });
  const rows = rules.map(({ conditions, ...rule }, position) => ({
    organization_id,
    role,
    position,
    ...rule,
    conditions: conditions === undefined ? null : JSON.stringify(conditions),
  }));
  await insertRows(app.owner, 'role_permissions', rows);
  return await signInGuest(app, organization_id, clientIds, role);
}
