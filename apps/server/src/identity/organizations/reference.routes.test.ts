import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Choice } from '@reachout/contract/reference.ts';
import { createTestApp, type TestApp } from '../../testing/app.ts';

suite('the lists that everybody shares', () => {
  let app: TestApp;

  before(async () => {
    app = await createTestApp();
  });
  after(() => app.close());

  const get = async (list: string) => {
    const { status, body } = await app.request<Choice[]>('GET', `/api/${list}`);
    assert.equal(status, 200);
    return body;
  };

  test('name the countries in the order of the alphabet, also those with an accent', async () => {
    const countries = await get('countries');
    assert.ok(countries.length > 240);
    assert.deepEqual(countries.slice(0, 3), [
      { id: 'AF', name: 'Afghanistan' },
      { id: 'AX', name: 'Åland Islands' },
      { id: 'AL', name: 'Albania' },
    ]);
    assert.deepEqual(countries.at(-1), { id: 'ZW', name: 'Zimbabwe' });
    assert.ok(countries.every(({ id }) => /^[A-Z]{2}$/.test(id)));
  });

  test('order sizes from small to large', async () => {
    assert.deepEqual(
      (await get('organization_sizes')).map(({ id }) => id),
      ['1', '2-10', '11-50', '51-200', '201-1000', '1001+'],
    );
  });

  test('say what contacts are for', async () => {
    const names = async (list: string) => (await get(list)).map(({ name }) => name);
    assert.deepEqual(await names('organization_contact_types'), [
      'Billing',
      'General',
      'Management',
      'Privacy',
      'Technical',
    ]);
    assert.deepEqual(await names('client_contact_types'), [
      'Approval',
      'Billing',
      'General',
      'Marketing',
      'Technical',
    ]);
  });
});
