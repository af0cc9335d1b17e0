import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { newId } from '../../platform/ids.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { insertRows } from '../../sample/rows.ts';
import { updateRows } from '../../testing/rows.ts';
import { memberOperations, toRequest, type MemberOperation } from '../../testing/contract-calls.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { indexContacts } from '../../testing/sent-email.ts';
import { buildBranch } from '../../testing/tenant-branch.ts';
import { buildTenant, type Tenant } from '../../testing/tenant.ts';
import { words } from '../../testing/words.ts';

/**
 * Every list, metric and search of an organization with a `client_id` parameter, except `consent.list`, which returns no
 * names and is compared with `consent.get` (subscription.routes.test.ts).
 */
const filtered = memberOperations.filter(
  ({ name, method, access, input }) =>
    name !== 'consent.list' &&
    method === 'GET' &&
    access.tenant === 'organization_id' &&
    input !== undefined &&
    input.shape['client_id']?.safeParse(undefined).success === true,
);

suite('filter by client', () => {
  const app = useSharedApp();
  let owner: Person;
  let tenant: Tenant;
  let other: Tenant;
  let foreign: Tenant;

  before(async () => {
    tenant = await buildTenant(app.owner);
    foreign = await buildTenant(app.owner);
    const { organizationId: organization_id } = tenant;
    other = { ...tenant, ...(await buildBranch(app.owner, { organization_id, marker: 'bbb' })) };
    tenant = { ...tenant, ...(await buildBranch(app.owner, { organization_id, marker: 'aaa' })) };
    // One contact shared by all clients, who received the messages of both.
    const shared = { collection: 'contacts', itemId: newId() };
    await insertRows(app.owner, 'content_collections', { organization_id, collection: shared.collection });
    await insertRows(app.owner, 'content_items', {
      organization_id,
      collection: shared.collection,
      id: shared.itemId,
      data: JSON.stringify({ email: 'ada@lovelace.example' }),
    });
    await updateRows(app.owner, 'deliveries', { organization_id }, { contact_id: shared.itemId });
    for (const { sendId } of [tenant, other]) await indexContacts(app.owner, organization_id, sendId);
    [tenant, other] = [
      { ...tenant, ...shared },
      { ...other, ...shared },
    ];
    // Makes each of the sends need attention.
    await updateRows(
      app.owner,
      'touchpoint_sends',
      { organization_id },
      { recipients_total_count: 2, recipients_total_failed_count: 1 },
    );
    owner = await app.signInMember(organization_id);
  });

  const shows = async (operation: MemberOperation, clientId: string | undefined) => {
    const sample = sampleInputs[operation.name]?.(tenant) ?? {};
    const required = Object.entries(sample).filter(
      ([key]) => operation.input?.shape[key]?.safeParse(undefined).success === false,
    );
    const input = {
      ...Object.fromEntries(required),
      ...(clientId === undefined ? {} : { client_id: clientId }),
    };
    const { method, path, ...rest } = toRequest(operation, input);
    const response = await app.request(method, path, { ...rest, as: owner });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    const text = JSON.stringify(response.body);
    return { mine: /\baaa\b/.test(text), others: /\bbbb\b/.test(text) };
  };

  for (const operation of filtered)
    test(`${operation.name} filters records by client`, async () => {
      assert.deepEqual(await shows(operation, undefined), { mine: true, others: true });
      assert.deepEqual(await shows(operation, tenant.clientId), { mine: true, others: false });
      assert.deepEqual(await shows(operation, other.clientId), { mine: false, others: true });
      assert.deepEqual(await shows(operation, foreign.clientId), { mine: false, others: false });
    });

  test('the filter covers the lists that screens show', () => {
    const names = filtered.map(({ name }) => name);
    for (const name of words(`
      brands.list campaigns.list campaigns.recent campaignsTouchpoints.list clientsBrands.list
      consent.get content.collections content.imports domains.list filters.list mailbox.list sends.recent
      templates.list touchpoints.list touchpoints.recent
    `))
      assert.ok(names.includes(name), name);
  });
});
