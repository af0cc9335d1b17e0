import assert from 'node:assert/strict';
import type { Person, TestApp } from './app.ts';

/** Creates an organization through the API, with the collections that it begins with. @returns its id */
export async function createOrganization(app: TestApp, as: Person, name = 'Agency'): Promise<string> {
  const body = { name };
  const created = await app.request<{ id: string }>('POST', '/api/organizations', { as, body });
  assert.ok(created.status < 300, JSON.stringify(created.body));
  return created.body.id;
}
