import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { RecipientGroup } from '@reachout/contract/statuses.ts';
import type { MessageEvent } from '../../events/event.ts';
import { storeEvents } from '../../events/store-events.ts';
import { newId } from '../../platform/ids.ts';
import { foldAll } from '../../testing/fold.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { buildOpen } from '../../testing/events.ts';
import { insertRows } from '../../sample/rows.ts';
import { buildSentEmail, emailSnapshot, storeResults, type SentEmail } from '../../testing/sent-email.ts';

suite('broken-down results', () => {
  const app = useSharedApp();
  let sent: SentEmail;
  let person: Person;
  before(async () => {
    const names = ['ada', 'ben', 'cleo', 'dora', 'eli', 'finn'];
    sent = await buildSentEmail(app.owner, { addresses: names.map((name) => `${name}@example.org`) });
    person = await app.signInMember(sent.organizationId, 'analyst');
    await storeChunksAndResults();
  });

  const read = async <T>(what: string, query = '', { organizationId, touchpointId } = sent) => {
    const path = `/api/content/${organizationId}/reachout/touchpoint_emails/${what}?touchpoint=${touchpointId}${query}`;
    return (await person.ok<{ data: T }>('GET', path)).data;
  };
  const store = (...events: Partial<MessageEvent>[]) =>
    storeEvents(
      app.services.trackingPipelined,
      events.map((event) => ({ ...buildOpen(sent), ...event, id: newId() })),
    ).then(() => foldAll(app.owner));
  const click = (seq: number, linkNo: number, more: Partial<MessageEvent> = {}) =>
    ({ type: 'CLICK', seq, linkNo, ...more }) as const;

  test('results by mail provider follow the used lanes', async () => {
    await store({ seq: 1 }, { seq: 2, isBot: true }, { seq: 3 }, { seq: 5 }, click(5, 0), click(5, 2));
    assert.deepEqual(await read('providers'), [
      { provider: 'google', recipients: 4, delivered: 3, not_measured: 0, bounced: 1, opened: 2, clicked: 0 },
      { provider: 'other', recipients: 2, delivered: 1, not_measured: 0, bounced: 0, opened: 1, clicked: 1 },
    ]);
    const another = await buildSentEmail(app.owner, { touchpointId: sent.touchpointId });
    assert.deepEqual(await read('providers', `&send=${another.sendId}`), []);
  });

  test('results by link separate people and bots', async () => {
    await store(click(6, 0), click(6, 0), click(1, 2, { isBot: true }), click(2, 2, { isBot: true }));
    const rows = await read<{ link_no: number; unique: number; total: number; bots: number }[]>(
      'links',
      `&send=${sent.sendId}`,
    );
    assert.deepEqual(
      rows.map(({ link_no, unique, total, bots }) => [link_no, unique, total, bots]),
      [
        [0, 2, 3, 0],
        [1, 0, 0, 0],
        [2, 1, 1, 2],
      ],
    );
  });

  test('results by device use first opens and clicks', async () => {
    const other = await buildSentEmail(app.owner, { organizationId: sent.organizationId, addresses: many });
    const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 10, 0, second));
    const events = userAgents.flatMap(([userAgent], index) => [
      { ...other, seq: index + 1, at: at(1), userAgent },
      { ...other, ...click(index + 1, 0), at: at(2), userAgent },
      // A repeat on another device.
      { ...other, seq: index + 1, at: at(3), userAgent: 'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X)' },
    ]);
    await store(...events, { ...other, seq: 1, isBot: true, userAgent: 'Mozilla/5.0' });
    const rows = await read<{ device: string; opened: number; clicked: number }[]>('devices', '', other);
    const expected = Map.groupBy(userAgents, ([, device]) => device);
    assert.deepEqual(
      rows.toSorted((a, b) => a.device.localeCompare(b.device)),
      [...expected.keys()].toSorted().map((device) => {
        const count = expected.get(device)!.length;
        return { device, opened: count, clicked: count };
      }),
    );
  });

  test('countries of first clicks by people add up to the unique clicks', async () => {
    const { organizationId } = sent;
    const other = await buildSentEmail(app.owner, { organizationId, addresses: many });
    const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 10, 0, second));
    const countries = ['DE', 'AT', 'DE', null, 'CH', 'DE', null, 'AT'];
    const from = (seq: number, second: number, country: string | null, more: Partial<MessageEvent> = {}) => ({
      ...other,
      ...click(seq, 0, more),
      at: at(second),
      country,
    });
    await store(
      ...countries.map((country, index) => from(index + 1, 2, country)),
      // A repeat abroad, on another link, and one of a bot before.
      from(1, 3, 'FR', { linkNo: 1 }),
      from(2, 1, 'US', { isBot: true }),
      // An open says nothing about where a person is.
      { ...other, seq: 9, at: at(1), country: 'IE' },
    );
    const expected = [
      { country: 'DE', clicked: 3 },
      { country: 'AT', clicked: 2 },
      { country: null, clicked: 2 },
      { country: 'CH', clicked: 1 },
    ];
    assert.deepEqual(await read('countries', '', other), expected);
    assert.deepEqual(await read('countries', `&send=${other.sendId}`, other), expected);
    const { clicked } = await read<{ clicked: { unique: number } }>('stats', '', other);
    assert.equal(clicked.unique, countries.length);
  });

  test('the email preview contains links without personal data', async () => {
    const { html, links } = await read<{ html: string; links: string[] }>('link_map');
    assert.deepEqual(
      links,
      emailSnapshot.links.map(({ url }) => url),
    );
    for (const linkNo of [0, 1, 2]) assert.match(html, new RegExp(`href="about:blank#link-${linkNo}"`));
    assert.doesNotMatch(html, /\{\{|\/t\/[oc]\/|mia/i);
  });

  test('an email that is too long has no preview', async () => {
    const { organizationId } = sent;
    const long = await buildSentEmail(app.owner, { organizationId, snapshot: { html: 'x'.repeat(210_000) } });
    const { html, links } = await read<{ html: string | null; links: string[] }>('link_map', '', long);
    assert.deepEqual([html, links.length], [null, 3]);
  });

  /** Four messages to Google in two chunks, one of them bounced, and two to others, one of them still queued. */
  async function storeChunksAndResults() {
    const of = { organization_id: sent.organizationId, send_id: sent.sendId };
    const chunk = (lane: RecipientGroup, first_seq: number, last_seq: number) => ({
      ...of,
      lane,
      first_seq,
      last_seq,
      marked_up_to: last_seq,
      done: true,
    });
    await insertRows(app.owner, 'delivery_chunks', [
      chunk('google', 1, 2),
      chunk('google', 3, 4),
      chunk('other', 5, 6),
    ]);
    const at = new Date().toISOString();
    await storeResults(app.owner, sent, ['sent', 'sent', 'sent', 'bounced', 'sent'], () => at);
  }
});

const userAgents: [userAgent: string | null, device: string][] = [
  ['Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)', 'unknown'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36', 'computer'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)', 'computer'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.6.0', 'computer'],
  ['Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0.5)', 'computer'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148', 'phone'],
  ['Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36', 'phone'],
  ['Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148', 'tablet'],
  ['Mozilla/5.0 (Linux; Android 13; SM-X700) AppleWebKit/537.36 Chrome/120.0 Safari/537.36', 'tablet'],
  ['SomeMailer/1.0', 'unknown'],
  [null, 'unknown'],
];

const many = userAgents.map((_, index) => `reader-${index}@example.org`);
