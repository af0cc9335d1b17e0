import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fileExports } from '@reachout/contract/file-exports.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { buildTenant, type Tenant } from '../../testing/tenant.ts';

/** Addresses below `/api`. */
const addresses: Record<keyof typeof fileExports, (tenant: Tenant) => string> = {
  'auditLog.export': ({ organizationId }) => `/organizations/${organizationId}/audit_log/export`,
  'content.exportItems': ({ organizationId, collection }) =>
    `/content/${organizationId}/exports/${collection}`,
  'content.exportRejected': ({ organizationId, importId }) =>
    `/content/${organizationId}/imports/${importId}/rejected`,
  'sends.exportDeliveries': ({ sendId }) => `/sends/${sendId}/deliveries/export`,
  'signUpForms.exportProof': ({ organizationId, collection, itemId }) =>
    `/content/${organizationId}/consent/${collection}/${itemId}/sign_ups/export`,
  'statistics.exportTable': ({ touchpointId }) => `/touchpoints/${touchpointId}/statistics/export`,
  'suppressions.export': ({ organizationId }) => `/suppressions/export?organization_id=${organizationId}`,
};

suite('exports', () => {
  const app = useSharedApp();

  for (const [action, addressOf] of Object.entries(addresses)) {
    test(`${action} is for members with its permissions, and audited`, async () => {
      const tenant = await buildTenant(app.owner);
      const { organizationId } = tenant;
      const path = `/api${addressOf(tenant)}`;
      const settings = JSON.stringify({ separator: ',', encoding: 'utf-8', mapping: {} });
      await updateRows(app.owner, 'content_imports', { id: tenant.importId }, { settings });
      const owner = await app.signInMember(organizationId, 'owner');
      const reader = await signInWithRules(app, organizationId, [
        { action: 'read', subject: 'Organization' },
      ]);
      assertProblem(await app.request('GET', path), 401, 'not_signed_in');
      assertProblem(await app.request('GET', path, { as: await app.signIn() }), 404, 'not_found');
      assertProblem(await app.request('GET', path, { as: reader }), 403, 'forbidden');
      const withUnknown = `${path}${path.includes('?') ? '&' : '?'}unknown=1`;
      assertProblem(await app.request('GET', withUnknown, { as: reader }), 403, 'forbidden');
      assertProblem(await app.request('GET', withUnknown, { as: owner }), 422, 'invalid_input');
      const head = await app.app.inject({ method: 'HEAD', url: path, headers: owner.headers });
      assert.equal(head.statusCode, 405);

      const { status, headers, body } = await app.request('GET', path, { as: owner });
      assert.equal(status, 200, JSON.stringify(body));
      assert.match(String(headers['content-disposition']), /^attachment; filename="[\w.-]+"/);
      assert.equal(headers['cache-control'], 'no-store');
      const entries = await listRows(app.owner, 'audit_log', ['user_id'], {
        organization_id: organizationId,
        action,
      });
      assert.deepEqual(entries, [{ user_id: owner.userId }]);
    });
  }

  test('no file is sent without its entry in the audit log', async (t) => {
    const tenant = await buildTenant(app.owner);
    const { organizationId } = tenant;
    const owner = await app.signInMember(organizationId, 'owner');
    const reads = t.mock.method(app.services.expensiveDb, 'transaction');
    t.mock.method(app.services.db, 'transaction', () => {
      throw new Error('away');
    });
    const path = `/api${addresses['auditLog.export'](tenant)}`;
    const { status, headers } = await app.request('GET', path, { as: owner });
    assert.deepEqual([status, headers['content-disposition'], reads.mock.callCount()], [500, undefined, 1]);
  });
});
