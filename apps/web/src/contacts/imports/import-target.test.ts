import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Collection } from '@reachout/contract/content.ts';
import { listTargets, preselectTarget } from './import-target.ts';

const north = { id: 'n', name: 'North' };
const south = { id: 's', name: 'South' };

const list = (
  collection: string,
  client: typeof north | null,
  brandId: string | null = null,
): Collection => ({
  collection,
  label: null,
  client_id: client?.id ?? null,
  brand_id: brandId,
  client,
  brand: null,
  item_count: 0,
  hidden: false,
  sort: null,
  has_contacts: true,
});

const shared = list('contacts', null);
const ofNorth = list('contacts_north', north);

const preselected = (
  lists: Collection[],
  {
    from = 'contacts',
    clientId,
    canCreate = true,
  }: { from?: string; clientId?: string; canCreate?: boolean },
) => preselectTarget(listTargets(lists, [north, south], canCreate), from, clientId)?.key;

test('an import offers a list for each client', () => {
  const keys = (canCreate: boolean) =>
    listTargets([shared, ofNorth], [north, south], canCreate).map(({ key }) => key);
  assert.deepEqual(keys(true), ['contacts_north', 'client:s', 'contacts']);
  // A Directus has the collections that were created there.
  assert.deepEqual(keys(false), ['contacts_north', 'contacts']);
  const ofBrand = list('contacts_brand', south, 'b');
  assert.deepEqual(
    listTargets([shared, ofBrand], [south], true).map(({ key }) => key),
    ['client:s', 'contacts_brand', 'contacts'],
  );
});

test('an import never preselects contacts that clients share', () => {
  assert.equal(preselected([shared, ofNorth], {}), undefined);
  assert.equal(preselected([shared, ofNorth], { clientId: 'n' }), 'contacts_north');
  assert.equal(preselected([shared, ofNorth], { clientId: 's' }), 'client:s');
  assert.equal(preselected([shared, ofNorth], { clientId: 's', canCreate: false }), undefined);
  assert.equal(preselected([shared, ofNorth], { from: 'contacts_north', clientId: 's' }), 'contacts_north');
});

test('without clients an import has a single target', () => {
  assert.equal(preselectTarget(listTargets([shared], [], true), 'contacts', undefined)?.key, 'contacts');
});
