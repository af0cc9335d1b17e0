import { newId } from '../platform/ids.ts';
import { signInGuest } from './actors.ts';
import type { Person, TestApp } from './app.ts';

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
  await app.owner.insertInto('organization_roles').values({ organization_id, role, name: role }).execute();
  const rows = rules.map(({ conditions, ...rule }, position) => ({
    organization_id,
    role,
    position,
    ...rule,
    conditions: conditions === undefined ? null : JSON.stringify(conditions),
  }));
  await app.owner.insertInto('role_permissions').values(rows).execute();
  return await signInGuest(app, organization_id, clientIds, role);
}
