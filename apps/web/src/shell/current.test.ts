import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCurrent, type NavigationItem } from './current.ts';
import { navigationItems, settingsHref, settingsSections } from './navigation-items.ts';

const base = '/o/0190';
const items: NavigationItem[] = Object.values(navigationItems(base));
const settings: NavigationItem[] = settingsSections.map((section) => ({
  href: settingsHref('0190', section),
}));

test('a plain entry covers all paths below it', () => {
  assert.ok(isCurrent({ href: '/o/1/campaigns' }, '/o/1/campaigns/7'));
  assert.ok(!isCurrent({ href: '/o/1/campaigns' }, '/o/1/clients'));
});

test('an exact entry covers only its path', () => {
  assert.ok(isCurrent({ href: '/o/1', exact: true }, '/o/1'));
  assert.ok(!isCurrent({ href: '/o/1', exact: true }, '/o/1/campaigns'));
});

test('a search parameter of another entry makes an entry not current', () => {
  const dashboard = navigationItems('/o/1').dashboard;
  assert.ok(isCurrent(dashboard, '/o/1', { setup: undefined }));
  assert.ok(!isCurrent(dashboard, '/o/1', { setup: true }));
});

test('an alternate path makes an entry current', () => {
  assert.ok(isCurrent({ href: '/o/1/clients', alternates: ['/o/1/brands'] }, '/o/1/brands/3'));
});

test('sibling addresses do not overlap, except exact ones', () => {
  for (const siblings of [items, settings]) {
    for (const entry of siblings.filter(({ exact }) => !exact)) {
      for (const other of siblings) {
        assert.ok(
          entry === other || !other.href.startsWith(entry.href),
          `${entry.href} starts ${other.href}`,
        );
      }
    }
  }
});

test('every place has exactly one current entry', () => {
  for (const siblings of [items, settings]) {
    for (const place of siblings) {
      assert.equal(siblings.filter((entry) => isCurrent(entry, place.href)).length, 1, place.href);
    }
  }
});

test('pages of contact lists belong to the contacts, whatever the name', () => {
  const { contacts, collections } = navigationItems(base, ['contacts', 'guests']);
  for (const [list, isOfContacts] of [
    ['contacts', true],
    ['guests', true],
    ['guests_old', false],
    ['newsletters', false],
  ] as const) {
    const path = `${base}/collections/${list}/fields`;
    assert.equal(isCurrent(contacts, path), isOfContacts, path);
    assert.equal(isCurrent(collections, path), !isOfContacts, path);
  }
});

test('all settings pages belong to the settings', () => {
  for (const { href } of settings) assert.ok(isCurrent(navigationItems(base).settings, href), href);
});
