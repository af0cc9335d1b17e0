import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseAudience, chooseContacts } from './own-contacts.ts';

test('an email never begins with an audience that clients share', () => {
  const shared = { id: 'shared', is_active: true, client_id: null };
  const own = { id: 'own', is_active: true, client_id: 'c' };
  assert.equal(chooseAudience([shared]), undefined);
  assert.equal(chooseAudience([{ ...own, id: 'inactive', is_active: false }, own, shared]), 'own');
});

test('an email never begins with contacts that clients share', () => {
  const list = { has_contacts: true, item_count: 1, client_id: 'c', brand_id: null };
  const shared = { ...list, client_id: null };
  const ofBrand = { ...list, brand_id: 'b' };
  assert.equal(chooseContacts([shared]), undefined);
  assert.equal(
    chooseContacts([{ ...list, item_count: 0 }, { ...list, has_contacts: false }, shared]),
    undefined,
  );
  assert.equal(chooseContacts([shared, list]), list);
  assert.equal(chooseContacts([list, ofBrand]), ofBrand);
});
