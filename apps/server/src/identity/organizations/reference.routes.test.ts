import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Choice } from '@reachout/contract/reference.ts';
import { useSharedApp } from '../../testing/app.ts';

suite('shared reference lists', () => {
  const app = useSharedApp();

  const get = async (list: string) => await app.ok<Choice[]>('GET', `/api/${list}`);

  test('countries are in alphabetical order, also with accents', async () => {
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

  test('sizes are in ascending order', async () => {
    assert.deepEqual(
      (await get('organization_sizes')).map(({ id }) => id),
      ['1', '2-10', '11-50', '51-200', '201-1000', '1001+'],
    );
  });

  test('contact types are listed', async () => {
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
