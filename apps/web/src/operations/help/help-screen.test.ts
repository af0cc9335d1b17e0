import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { helpScreens } from '@reachout/contract/rules/help.ts';
import { helpScreenOf } from './help-screen.ts';

const tree = readFileSync(join(import.meta.dirname, '../../routeTree.gen.ts'), 'utf8');
const [, union = ''] = /fileRoutesByTo: FileRoutesByTo\s+to:((?:\s*\| '[^']*')+)/.exec(tree) ?? [];
const routes = [...union.matchAll(/'([^']+)'/g)].map(([, route]) => route!);
/** Those whose frame has a button for help. */
const withHelp = routes.filter((route) => /^\/(?:o\/|me\b|operator\b|organizations\b|welcome\b)/.test(route));

test('every route with a help button shows a screen that the help knows', () => {
  assert.ok(withHelp.length > 50);
  assert.deepEqual(
    withHelp.filter((route) => helpScreenOf(route) === undefined),
    [],
  );
});

test('every screen that the help knows is shown by some route', () => {
  const shown = new Set(withHelp.map(helpScreenOf));
  assert.deepEqual(
    helpScreens.filter((screen) => !shown.has(screen)),
    [],
  );
});

test('pages below a record have screens of their own', () => {
  const at = '/o/0197c1f0-0000-7000-8000-000000000000';
  assert.equal(helpScreenOf(at), 'dashboard');
  assert.equal(helpScreenOf(`${at}/touchpoints/1/email`), 'emails');
  assert.equal(helpScreenOf(`${at}/touchpoints/1/sends/2`), 'sends');
  assert.equal(helpScreenOf(`${at}/collections/contacts`), 'contacts');
  assert.equal(helpScreenOf(`${at}/collections/contacts/import`), 'imports');
  assert.equal(helpScreenOf(`${at}/collections/newsletters`), 'collections');
  assert.equal(helpScreenOf('/sign-in'), undefined);
});
