import { createDirectus, customEndpoint, rest, staticToken } from '@directus/sdk';
import { randomBytes } from 'node:crypto';

/** The user of the conformance suite of content backends: no administrator, with permissions on the suite's collections. */
export interface ServiceUser {
  token: string;
  /** Ids. */
  policy: string;
  role: string;
}

export async function makeServiceUser(url: string, adminToken: string): Promise<ServiceUser> {
  const admin = createDirectus(url).with(staticToken(adminToken)).with(rest());
  const post = (path: string, body: object) =>
    admin.request(customEndpoint<{ id: string }>({ path, method: 'POST', body: JSON.stringify(body) }));
  const token = randomBytes(32).toString('hex');
  const read = ['directus_collections', 'directus_fields', 'directus_presets'].map((collection) => ({
    collection,
    action: 'read',
    fields: ['*'],
    permissions: null,
    validation: null,
  }));
  const { id: policy } = await post('/policies', {
    name: 'Conformance',
    admin_access: false,
    app_access: false,
    permissions: { create: read, update: [], delete: [] },
  });
  const { id: role } = await post('/roles', {
    name: 'Conformance',
    policies: { create: [{ policy }], update: [], delete: [] },
    users: {
      create: [{ email: 'conformance@example.com', status: 'active', token }],
      update: [],
      delete: [],
    },
  });
  return { token, policy, role };
}
