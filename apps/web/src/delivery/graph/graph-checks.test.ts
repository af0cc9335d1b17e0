import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connection } from '@reachout/contract/rules/connections.ts';
import { checkGraph } from './graph-checks.ts';

const campaign = 'spring';
const touchpoint = (id: string, status: 'draft' | 'active', type: 'email' | 'website' = 'email') => ({
  id,
  name: id,
  type,
  status,
  campaign_id: campaign,
});

/** What is checked of a connection; nothing reacts without `to`. */
const connect = (from: string | null, to?: string, { isActive = true, action = 'send_email' } = {}) =>
  ({
    event: { notifier_touchpoint_id: from, is_active: isActive, action },
    listener: to === undefined ? null : { listener_touchpoint_id: to },
  }) as unknown as Connection;

const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id);
const [news, offer, shop] = [touchpoint('news', 'active'), touchpoint('offer', 'draft'), 'shop'];

test('each loop of emails is named once, and ends where it begins', () => {
  const ring = [connect('a', 'b'), connect('b', 'c'), connect('c', 'a')];
  const more = [connect('d', 'd'), connect('d', 'a'), connect(null, 'a')];
  const known = ['a', 'b', 'c', 'd'].map((id) => touchpoint(id, 'active'));
  assert.deepEqual(checkGraph([...ring, ...more], known, campaign).loops, [
    ['a', 'b', 'c', 'a'],
    ['d', 'd'],
  ]);
  const stops = ring.map(({ event, listener }) =>
    connect(event.notifier_touchpoint_id, listener?.listener_touchpoint_id, { action: 'stop_email' }),
  );
  assert.deepEqual(checkGraph(stops, known, campaign).loops, []);
});

test('emails that are due and not active are named', () => {
  const check = (...some: Connection[]) => idsOf(checkGraph(some, [news, offer], campaign).waiting);
  assert.deepEqual(check(connect('news', 'offer'), connect('offer', 'news')), ['offer']);
  assert.deepEqual(check(connect('news', 'offer', { isActive: false })), []);
});

test('websites whose events are awaited and not stored are named', () => {
  const check = (status: 'draft' | 'active') =>
    idsOf(checkGraph([connect(shop, 'news')], [news, touchpoint(shop, status, 'website')], campaign).silent);
  assert.deepEqual([check('draft'), check('active')], [[shop], []]);
});

test('drafts of the campaign to which nothing leads are named', () => {
  const check = (...some: Connection[]) => idsOf(checkGraph(some, [news, offer], campaign).unreached);
  assert.deepEqual(check(connect('offer', 'news')), ['offer']);
  assert.deepEqual([check(connect('news', 'offer')), check()], [[], []]);
});
