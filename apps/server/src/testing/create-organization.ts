import type { Person, TestApp } from './app.ts';

/** Creates an organization through the API, with the collections that it begins with. @returns its id */
export async function createOrganization(app: TestApp, as: Person, name = 'Agency'): Promise<string> {
  const body = { name };
  const created = await app.ok<{ id: string }>('POST', '/api/organizations', { as, body });
  return created.id;
}

/** Signs in somebody who creates an organization. @returns also the path of its content */
export async function signInOwner(app: TestApp) {
  const owner = await app.signIn();
  const organizationId = await createOrganization(app, owner);
  return { owner, organizationId, base: `/api/content/${organizationId}` };
}
