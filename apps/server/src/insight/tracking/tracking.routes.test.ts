import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import helmet from '@fastify/helmet';
import { createEmailRenderer } from '../../email/mime/email-renderer.ts';
import { createTokenSigner, tokenPurposes, type TokenPurpose } from '../../email/links/tokens.ts';
import { rowsOf, connect, type Database } from '../../platform/database/database.ts';
import { connectPipelined, type PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { createLog } from '../../platform/log.ts';
import { foldAll } from '../../testing/fold.ts';
import { useSharedApp } from '../../testing/app.ts';
import { deleteRows, listRows, updateRows } from '../../testing/rows.ts';
import { buildSentEmail, emailSnapshot, type SentEmail } from '../../testing/sent-email.ts';
import { digestTenant } from '../../testing/tenant.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { registerPreferencePage } from '../preferences/preference-page.routes.ts';
import { registerTracking } from './tracking.routes.ts';

const publicUrl = 'https://reachout.example';
const signer = createTokenSigner(randomBytes(32));
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const shared = useSharedApp();
let owner: Database;
let pipelined: PipelinedDatabase;
let app: FastifyInstance;

const options = { name: 'tests', statementTimeoutMs: 20_000, onError: () => {} };
const openPipelined = () => connectPipelined(shared.appUrl, { ...options, connections: 1 });

before(async () => {
  ({ owner } = shared);
  pipelined = openPipelined();
  app = await createTrackingApp(shared.services.trackingDb, pipelined);
});
after(async () => {
  await app.close();
  await pipelined.destroy();
});

async function createTrackingApp(pool: Database, events: PipelinedDatabase): Promise<FastifyInstance> {
  const made = Fastify();
  await made.register(helmet);
  await registerTracking(made, {
    db: pool,
    pipelined: events,
    signer,
    secrets: shared.services.secrets,
    publicUrl,
    log: createLog('silent'),
  });
  await registerPreferencePage(made, {
    db: pool,
    signer,
    publicUrl,
    limits: shared.services.limits,
    log: createLog('silent'),
  });
  return made;
}

const sign = (purpose: TokenPurpose, { sendNumber }: SentEmail, seq = 1) =>
  purpose === 'visit' ? signer.signVisit({ sendNumber, seq }) : signer.sign({ sendNumber, seq })[purpose];

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers: { 'user-agent': browser, ...headers } });

const post = (url: string, payload?: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url,
    ...(payload === undefined ? {} : { payload }),
    headers: { 'user-agent': browser, ...headers },
  });

const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };

/** Unsubscribes like a mail program. */
const oneClick = (url: string, headers: Record<string, string> = {}) =>
  post(url, 'List-Unsubscribe=One-Click', { ...urlencoded, ...headers });

/** Lists events in the order in which they were stored: several may have the same millisecond. */
const listEvents = async (sent: SentEmail) => {
  await foldAll(owner);
  return await owner
    .selectFrom('events')
    .selectAll()
    .where('send_id', '=', sent.sendId)
    .orderBy('id')
    .execute();
};

const listCounts = async (sent: SentEmail) => {
  await foldAll(owner);
  return await owner
    .selectFrom('delivery_event_counts')
    .select(['type', 'seq', 'link_no', 'human_count', 'bot_count'])
    .where('send_id', '=', sent.sendId)
    .orderBy('type')
    .orderBy('seq')
    .orderBy('link_no')
    .execute();
};

const listSuppressions = (sent: SentEmail) =>
  listRows(owner, 'choices', ['brand_id', 'address_key', 'value', 'send_id', 'seq'], {
    kind: 'suppression',
    organization_id: sent.organizationId,
  });

/** Stores the contact of the first message. */
async function storeContact({ organizationId: organization_id }: SentEmail, data: object): Promise<void> {
  const key = { organization_id, collection: 'contacts' };
  await owner
    .insertInto('content_collections')
    .values({ ...key, hidden: false })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await owner
    .insertInto('content_items')
    .values({ ...key, id: 'contact-1', data: JSON.stringify(data) })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'collection', 'id']).doUpdateSet({ data: JSON.stringify(data) }),
    )
    .execute();
}

suite('open pixels', () => {
  test('the pixel is uncacheable and counts an open', async () => {
    const sent = await buildSentEmail(owner);
    const response = await get(`/t/o/${sign('open', sent)}`);
    assert.equal(response.statusCode, 200);
    assert.equal(response.rawPayload.length, 43);
    assert.equal(response.headers['content-type'], 'image/gif');
    assert.equal(response.headers['cache-control'], 'no-store');
    assert.equal(response.headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(response.headers['set-cookie'], undefined);

    const [event, ...others] = await listEvents(sent);
    assert.equal(others.length, 0);
    assert.equal(event?.type, 'OPEN_EMAIL');
    assert.equal(event.touchpoint_id, sent.touchpointId);
    assert.equal(event.seq, 1);
    assert.equal(event.link_no, null);
    assert.equal(event.is_bot, false);
    assert.equal(event.user_agent, browser);
    assert.equal(event.ip_prefix, '127.0.0.0/24');
  });

  test('invalid tokens and HEAD requests count nothing', async () => {
    const sent = await buildSentEmail(owner);
    const genuine = sign('open', sent);
    const strange = [
      'x',
      genuine.slice(0, -1),
      `${genuine}A`,
      flip(genuine),
      sign('click', sent),
      signer.sign({ sendNumber: 999_999_999, seq: 1 }).open,
    ];
    for (const token of strange) {
      const response = await get(`/t/o/${token}`);
      assert.equal(response.statusCode, 200, token);
      assert.equal(response.rawPayload.length, 43, token);
    }
    const head = await app.inject({ method: 'HEAD', url: `/t/o/${genuine}` });
    assert.equal(head.statusCode, 200);
    assert.deepEqual(await listCounts(sent), []);
  });

  test('2,000 replays count once and store 20 rows (LNK-5)', async () => {
    const sent = await buildSentEmail(owner);
    const url = `/t/o/${sign('open', sent)}`;
    for (let round = 0; round < 4; round++) {
      const responses = await Promise.all(Array.from({ length: 500 }, () => get(url)));
      assert.ok(responses.every(({ statusCode }) => statusCode === 200));
    }
    assert.deepEqual(await listCounts(sent), [
      { type: 'OPEN_EMAIL', seq: 1, link_no: -1, human_count: 2_000, bot_count: 0 },
    ]);
    assert.equal((await listEvents(sent)).length, 20);
  });

  test('an open by a person is stored after machine opens', async () => {
    const sent = await buildSentEmail(owner);
    const url = `/t/o/${sign('open', sent)}`;
    await Promise.all(Array.from({ length: 30 }, () => get(url, { 'user-agent': 'Mozilla/5.0' })));
    // In one batch with others, and alone.
    await Promise.all([
      ...Array.from({ length: 30 }, () => get(url, { 'user-agent': 'Mozilla/5.0' })),
      get(url),
    ]);
    await get(url);
    const events = await listEvents(sent);
    assert.equal(events.filter(({ is_bot }) => is_bot).length, 20);
    assert.equal(events.filter(({ is_bot }) => !is_bot).length, 2);
    assert.deepEqual(await listCounts(sent), [
      { type: 'OPEN_EMAIL', seq: 1, link_no: -1, human_count: 2, bot_count: 60 },
    ]);
  });
});

suite('opens through image proxies', () => {
  const gmail = {
    'user-agent': 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  };
  const apple = { 'user-agent': 'Mozilla/5.0' };
  const totals = async ({ sendId }: SentEmail) => {
    await foldAll(owner);
    const rows = await rowsOf<{ value: string; count: number; of_days: number }>(owner)`
      select value, sum(running_counts[1]) filter (where day = '-infinity')::int as count,
        sum(running_counts[96])::int as of_days
      from counts where subject_id = ${sendId} group by value
    `;
    for (const { count, of_days } of rows) assert.equal(count, of_days);
    return Object.fromEntries(rows.map(({ value, count }) => [value, count]));
  };

  test("the first proxy request counts as a person's open", async () => {
    for (const isBatch of [false, true]) {
      const sent = await buildSentEmail(owner);
      const url = `/t/o/${sign('open', sent)}`;
      const requests = [apple, gmail, gmail, apple, gmail].map((headers) => () => get(url, headers));
      if (isBatch) await Promise.all(requests.map((request) => request()));
      else for (const request of requests) await request();
      assert.deepEqual(await listCounts(sent), [
        { type: 'OPEN_EMAIL', seq: 1, link_no: -1, human_count: 1, bot_count: 4 },
      ]);
      const readers = (await listEvents(sent)).map(
        ({ is_bot, user_agent }) => `${user_agent === gmail['user-agent'] ? 'Gmail' : 'Apple'} ${is_bot}`,
      );
      assert.deepEqual(readers.toSorted(), [
        'Apple true',
        'Apple true',
        'Gmail false',
        'Gmail true',
        'Gmail true',
      ]);
      assert.deepEqual(await totals(sent), { unique: 1, human: 1, bot: 4 });
    }
  });

  test('proxy requests never count again or as clicks', async () => {
    const sent = await buildSentEmail(owner);
    const url = `/t/o/${sign('open', sent)}`;
    await get(url);
    await Promise.all([get(url, gmail), get(url), get(url, gmail)]);
    await get(`/t/c/${sign('click', sent)}.0`, gmail);
    assert.deepEqual(
      (await listCounts(sent)).map(({ human_count, bot_count }) => [human_count, bot_count]),
      [
        [0, 1],
        [0, 1],
        [2, 2],
      ],
    );
  });
});

test('encoded and plain addresses are found in text', async () => {
  const sent = await buildSentEmail(owner);
  for (const end of `) ] > . , ; ! " ' ). %3E %29 %5D %22 %3F %2C`.split(' ')) {
    const click = await get(`/t/c/${sign('click', sent)}.2${end}`);
    assert.equal(click.headers.location, 'https://shop.example/about', end);
    for (const path of [
      `/u/${sign('unsubscribe', sent)}`,
      `/p/${sign('unsubscribe', sent)}`,
      `/v/${sign('view', sent)}`,
    ])
      assert.equal((await get(`${path}${end}`)).statusCode, 200, `${path}${end}`);
  }
  await oneClick(`/u/${sign('unsubscribe', sent)}%3E`);
  assert.equal((await listSuppressions(sent)).length, 1);
  for (const more of ['x', '0', '.1', '>x', '/', '%2F'])
    assert.equal((await get(`/t/c/${sign('click', sent)}.2${more}`)).headers.location, undefined, more);
});

suite('click redirects', () => {
  test('a click leads to the stored address and counts', async () => {
    const sent = await buildSentEmail(owner);
    const token = sign('click', sent);
    const response = await get(`/t/c/${token}.0`);
    assert.equal(response.statusCode, 302);
    assert.equal(response.headers.location, 'https://shop.example/spring?utm_source=mail');
    assert.equal(response.headers['referrer-policy'], 'no-referrer');
    assert.equal(response.headers['cache-control'], 'no-store');
    assert.equal(response.headers['set-cookie'], undefined);

    const personal = await get(`/t/c/${token}.1`);
    assert.equal(personal.headers.location, 'https://shop.example/for/a%26b');
    assert.deepEqual(await listCounts(sent), [
      { type: 'CLICK', seq: 1, link_no: -1, human_count: 2, bot_count: 0 },
      { type: 'CLICK', seq: 1, link_no: 0, human_count: 1, bot_count: 0 },
      { type: 'CLICK', seq: 1, link_no: 1, human_count: 1, bot_count: 0 },
    ]);
    assert.deepEqual(
      (await listEvents(sent)).map(({ type, link_no }) => [type, link_no]),
      [
        ['CLICK', 0],
        ['CLICK', 1],
      ],
    );
  });

  test('modified links never redirect elsewhere (LNK-1, TOK-1)', async () => {
    const sent = await buildSentEmail(owner);
    const other = await buildSentEmail(owner, { snapshot: { links: [] } });
    const token = sign('click', sent);
    const strange = [
      ...Array.from({ length: token.length * 8 }, (_, bit) => `${flip(token, bit)}.0`),
      ...tokenPurposes.filter((purpose) => purpose !== 'click').map((purpose) => `${sign(purpose, sent)}.0`),
      `${token}.3`,
      `${token}.-1`,
      `${token}.99999`,
      `${token}.0.0`,
      `${token}.https://evil.example`,
      token,
      `${sign('click', other)}.0`,
    ];
    for (const path of strange) {
      const response = await get(`/t/c/${encodeURIComponent(path)}`);
      assert.equal(response.headers.location, undefined, path);
      assert.equal(response.statusCode, 404, path);
    }
    assert.deepEqual(await listCounts(sent), []);

    const added = await get(
      `/t/c/${token}.0?url=https://evil.example&redirect=//evil.example&${'u=//evil.example&'.repeat(20)}`,
    );
    assert.equal(added.headers.location, 'https://shop.example/spring?utm_source=mail');
  });

  test("a personal link leads to the recipient's website", async () => {
    const sent = await buildSentEmail(owner, {
      snapshot: { links: [{ url: '{{ contact.page }}', personal: true }] },
      variables: { page: 'www.x.example' },
    });
    const response = await get(`/t/c/${sign('click', sent)}.0`);
    assert.deepEqual([response.statusCode, response.headers.location], [302, 'https://www.x.example/']);
  });

  test('a personal link to a non-web address is rejected', async () => {
    const sent = await buildSentEmail(owner, {
      snapshot: { links: [{ url: '{{ contact.page }}', personal: true }] },
      variables: { page: 'javascript:alert(1)' },
    });
    const response = await get(`/t/c/${sign('click', sent)}.0`);
    assert.equal(response.statusCode, 404);
    assert.equal(response.headers.location, undefined);
  });

  test('HEAD requests of link checkers are not counted (R11.2)', async () => {
    const sent = await buildSentEmail(owner);
    const response = await app.inject({ method: 'HEAD', url: `/t/c/${sign('click', sent)}.0` });
    assert.equal(response.statusCode, 302);
    assert.deepEqual(await listCounts(sent), []);
  });

  test('clicks of known sends need the database to count only', async () => {
    const sent = await buildSentEmail(owner, { addresses: ['a@example.org', 'b@example.org'] });
    await get(`/t/c/${sign('click', sent)}.0`);
    // The lookup of the send and its content are cached: they could not be read again.
    await deleteRows(owner, 'touchpoint_send_contents', { send_id: sent.sendId });
    const response = await get(`/t/c/${sign('click', sent, 2)}.2`);
    assert.equal(response.headers.location, 'https://shop.example/about');
  });

  test('a browser-like scanner is marked from its third link', async () => {
    const sent = await buildSentEmail(owner);
    const token = sign('click', sent);
    for (const linkNo of [0, 1, 2, 0]) await get(`/t/c/${token}.${linkNo}`);
    // Two clicks within a millisecond have ids in any order.
    assert.deepEqual(
      (await listEvents(sent)).map(({ link_no, is_bot }) => `${link_no} ${is_bot}`).toSorted(),
      ['0 false', '0 true', '1 false', '2 true'],
    );
  });

  test('links work after touchpoint and campaign are deleted (LNK-4)', async () => {
    const sent = await buildSentEmail(owner, { brandName: 'Nordwind' });
    for (const table of ['touchpoints', 'campaigns', 'brands', 'clients'] as const)
      await owner
        .updateTable(table)
        .set({ deleted: true })
        .where('organization_id', '=', sent.organizationId)
        .execute();
    assert.equal((await get(`/t/c/${sign('click', sent)}.0`)).statusCode, 302);
    assert.equal((await get(`/v/${sign('view', sent)}`)).statusCode, 200);
    assert.match((await get(`/u/${sign('unsubscribe', sent)}`)).body, /Stop emails from Nordwind\?/);
    await oneClick(`/u/${sign('unsubscribe', sent)}`);
    assert.equal((await listSuppressions(sent)).length, 1);
  });
});

suite('stored reader data (TRK-5)', () => {
  test('opt-outs from tracking store neither network nor program', async () => {
    for (const wish of ['dnt', 'sec-gpc']) {
      const sent = await buildSentEmail(owner);
      await get(`/t/o/${sign('open', sent)}`, { [wish]: '1' });
      await oneClick(`/u/${sign('unsubscribe', sent)}`, { [wish]: '1' });
      const events = await listEvents(sent);
      assert.equal(events.length, 2);
      for (const event of events) {
        assert.equal(event.ip_prefix, null, wish);
        assert.equal(event.user_agent, null, wish);
      }
    }
  });

  test('clicks have the country of their address, opens none', async () => {
    const sent = await buildSentEmail(owner);
    const read = async (path: string, remoteAddress: string, wish: Record<string, string> = {}) => {
      const headers = { 'user-agent': browser, ...wish };
      assert.ok((await app.inject({ method: 'GET', url: path, remoteAddress, headers })).statusCode < 400);
    };
    const click = `/t/c/${sign('click', sent)}.0`;
    await read(`/t/o/${sign('open', sent)}`, '8.8.8.8');
    await read(click, '8.8.8.8');
    await read(click, '2001:4860:4860::8888');
    await read(click, '192.168.1.7');
    for (const wish of ['dnt', 'sec-gpc']) await read(click, '8.8.8.8', { [wish]: '1' });
    assert.deepEqual(
      (await listEvents(sent)).map(({ type, country }) => [type, country]),
      [
        ['OPEN_EMAIL', null],
        ['CLICK', 'US'],
        ['CLICK', 'US'],
        ['CLICK', null],
        ['CLICK', null],
        ['CLICK', null],
      ],
    );
  });

  test('stored events contain a short program name only', async () => {
    const sent = await buildSentEmail(owner);
    for (const remoteAddress of ['203.0.113.77', '2001:db8:1:2:3:4:5:6']) {
      const url = `/t/o/${sign('open', sent)}`;
      await app.inject({ method: 'GET', url, remoteAddress, headers: { 'user-agent': 'B'.repeat(500) } });
    }
    const events = await listEvents(sent);
    assertColumn(events, 'ip_prefix', ['203.0.113.0/24', '2001:db8:1::/48']);
    assert.ok(events.every(({ user_agent }) => user_agent?.length === 200));
  });
});

suite('unsubscribe pages', () => {
  test('the page shows the first letter of the address only', async () => {
    const sent = await buildSentEmail(owner, {
      brandName: 'Nordwind <b>',
      addresses: ['mia.muster@example.org'],
    });
    for (const [path, title] of [
      ['u', 'Stop emails from Nordwind &lt;b&gt;?'],
      ['p', 'Your emails from Nordwind &lt;b&gt;'],
    ] as const) {
      const response = await get(`/${path}/${sign('unsubscribe', sent)}`);
      assert.equal(response.statusCode, 200);
      assert.ok(response.body.includes(title), path);
      assert.match(response.body, /Address: m•••@example\.org/);
      assert.doesNotMatch(response.body, /mia|<b>/);
      assert.equal(response.headers['referrer-policy'], 'no-referrer');
      assert.equal(response.headers['x-robots-tag'], 'noindex, nofollow');
      assert.equal(response.headers['cache-control'], 'no-store');
      assert.match(
        String(response.headers['content-security-policy']),
        /^default-src 'none'; style-src 'sha256-/,
      );
      assert.equal(response.headers['set-cookie'], undefined);
      assert.doesNotMatch(response.body, /<script|src=|https?:/);
    }
  });

  test('a brand name is shown as text (TPL-6)', async () => {
    const sent = await buildSentEmail(owner, { brandName: '<img src=x onerror=alert(1)> $& {address}' });
    const url = `/u/${sign('unsubscribe', sent)}`;
    for (const form of [undefined, 'source=page']) {
      const { body } = form === undefined ? await get(url) : await post(url, form, urlencoded);
      assert.ok(body.includes('&lt;img src=x onerror=alert(1)&gt; $&amp; {address}'));
      assert.doesNotMatch(body, /<img/);
    }
  });

  test('the page shows color, logo, address and imprint', async () => {
    const sent = await buildSentEmail(owner, { brandName: 'Nordwind' });
    const url = `/u/${sign('unsubscribe', sent)}`;
    assert.match((await get(url)).body, /<main data-color="blue"><div class="brand"><span>Nordwind/);
    const logo = '/api/storage/logos/x/y.webp';
    await updateRows(
      owner,
      'brands',
      { id: sent.brandId },
      {
        color: 'olive',
        logo_url: logo,
        dark_logo_url: logo,
        postal_address: 'Nordwind <b>GmbH</b>\nHamburg',
        imprint: '<script>1</script>',
        imprint_url: 'https://nordwind.example/imprint?a=1&b="2"',
      },
    );
    const { body, headers } = await get(url, { 'accept-language': 'de' });
    assert.match(body, /<main data-color="olive">/);
    assert.ok(
      body.includes(`srcset="../l/${sent.brandId}-dark.png"><img src="../l/${sent.brandId}.png" alt="">`),
    );
    assert.ok(body.includes('Nordwind &lt;b&gt;GmbH&lt;/b&gt;'));
    assert.ok(
      body.includes(
        'href="https://nordwind.example/imprint?a=1&amp;b=&#34;2&#34;" rel="noopener noreferrer">Impressum',
      ),
    );
    assert.doesNotMatch(body, /<script|storage/);
    assert.match(String(headers['content-security-policy']), /img-src 'self'/);
  });

  test("the contact's language precedes the browser's language", async () => {
    const sent = await buildSentEmail(owner);
    const url = `/u/${sign('unsubscribe', sent)}`;
    const store = (language: string) => storeContact(sent, { email: 'mia@example.org', language });
    const languageOf = async (path: string, browserLanguage: string) =>
      /<html lang="(\w+)"/.exec((await get(path, { 'accept-language': browserLanguage })).body)?.[1];
    await store('de-AT');
    assert.equal(await languageOf(url, 'en'), 'de');
    assert.equal(await languageOf(`${url}?lang=en`, 'de'), 'en', 'what somebody chose comes first');
    await store('Klingon');
    assert.equal(await languageOf(url, 'de'), 'de');
  });

  test('the page is German for German readers', async () => {
    const sent = await buildSentEmail(owner, { brandName: 'Nordwind' });
    const url = `/u/${sign('unsubscribe', sent)}`;
    const german = await get(url, { 'accept-language': 'fr;q=0.9, de-AT;q=0.8, en;q=0.5' });
    assert.match(german.body, /<html lang="de">/);
    assert.match(german.body, /Keine E-Mails mehr von Nordwind\?/);
    assert.match((await get(`${url}?lang=de`)).body, /Abmelden/);
    assert.match((await get(`${url}?lang=en`, { 'accept-language': 'de' })).body, /Unsubscribe/);
  });

  /** The preference page, whose form undoes what was chosen on the page for unsubscribing. */
  const pageOf = (url: string) => url.replace('/u/', '/p/');
  const undo = 'change=undo&unsubscribed_from=nothing';

  test('the button unsubscribes and can be undone repeatedly', async () => {
    const sent = await buildSentEmail(owner, {
      brandName: 'Nordwind',
      addresses: ['Mia.Muster@Example.org'],
    });
    const url = `/u/${sign('unsubscribe', sent)}`;
    for (const _ of [1, 2]) {
      const done = await post(`${url}?lang=en`, 'source=page', urlencoded);
      assert.equal(done.statusCode, 200);
      assert.match(done.body, /You won’t get any more emails from Nordwind\./);
      assert.match(done.body, /value="resubscribe"/);
      assert.deepEqual(await listSuppressions(sent), [
        {
          brand_id: sent.brandId,
          address_key: 'mia.muster@example.org',
          value: 'unsubscribe',
          send_id: sent.sendId,
          seq: 1,
        },
      ]);
    }
    assert.match((await get(url)).body, /You won’t get any more emails/);
    for (const said of [/You will get emails from Nordwind again\./, /Nothing was changed\./]) {
      const undone = await post(pageOf(url), undo, urlencoded);
      assert.match(undone.body, said);
      assert.deepEqual(await listSuppressions(sent), []);
    }
    assertColumn(await listEvents(sent), 'type', ['UNSUBSCRIBE']);
  });

  test("an unsubscription applies to the contact's current address", async () => {
    const sent = await buildSentEmail(owner, { addresses: ['mia@example.org'] });
    await storeContact(sent, { email: 'Mia@New.example' });
    const url = `/u/${sign('unsubscribe', sent)}`;
    const addressesOf = async () =>
      (await listSuppressions(sent)).map(({ address_key }) => address_key).toSorted();
    await oneClick(url);
    assert.deepEqual(await addressesOf(), ['mia@example.org', 'mia@new.example']);
    assert.match((await post(pageOf(url), undo, urlencoded)).body, /You will get emails/);
    assert.deepEqual(await addressesOf(), []);
  });

  test('undoing lifts only what this message has stored', async () => {
    const sent = await buildSentEmail(owner, { addresses: ['mia@example.org', 'mia@new.example'] });
    await storeContact(sent, { email: 'mia@new.example' });
    await oneClick(`/u/${sign('unsubscribe', sent, 2)}`);
    const url = `/u/${sign('unsubscribe', sent)}`;
    assert.match((await post(url, 'source=page', urlencoded)).body, /value="undo"/);
    await post(pageOf(url), undo, urlencoded);
    assertColumn(await listSuppressions(sent), 'address_key', ['mia@new.example']);
    await post(pageOf(url), undo, urlencoded);
    assert.equal((await listSuppressions(sent)).length, 1);
  });

  test('the page offers to undo only what it has changed', async () => {
    const sent = await buildSentEmail(owner, { addresses: ['mia@example.org', 'mia@example.org'] });
    await oneClick(`/u/${sign('unsubscribe', sent, 1)}`);
    const second = await post(`/u/${sign('unsubscribe', sent, 2)}`, 'source=page', urlencoded);
    assert.doesNotMatch(second.body, /value="undo"/);
    assert.equal((await listSuppressions(sent)).length, 1);
  });

  test('invalid links return one page without data', async () => {
    const sent = await buildSentEmail(owner);
    const responses = await Promise.all(
      [
        'x',
        flip(sign('unsubscribe', sent)),
        sign('view', sent),
        signer.sign({ sendNumber: sent.sendNumber, seq: 2 }).unsubscribe,
      ].map((token) => get(`/u/${token}`)),
    );
    assert.deepEqual(new Set(responses.map(({ statusCode }) => statusCode)), new Set([404]));
    assert.equal(new Set(responses.map(({ body }) => body)).size, 1);
  });
});

suite('one-click unsubscription (R9.1, RFC 8058)', () => {
  const multipart = [
    '--b',
    'Content-Disposition: form-data; name="List-Unsubscribe"',
    '',
    'One-Click',
    '--b--',
    '',
  ].join('\r\n');
  const bodies: [string, string | undefined, Record<string, string>][] = [
    ['urlencoded', 'List-Unsubscribe=One-Click', urlencoded],
    ['multipart', multipart, { 'content-type': 'multipart/form-data; boundary=b' }],
  ];
  for (const [kind, body, headers] of bodies) {
    test(`one-click unsubscription accepts ${kind} without cookie and origin`, async () => {
      const sent = await buildSentEmail(owner);
      for (const _ of [1, 2]) {
        const response = await post(`/u/${sign('unsubscribe', sent)}`, body, headers);
        assert.equal(response.statusCode, 200);
        assert.match(String(response.headers['content-type']), /^text\/plain/);
        assert.equal(response.headers['set-cookie'], undefined);
      }
      assert.equal((await listSuppressions(sent)).length, 1);
      assert.deepEqual(await listCounts(sent), [
        { type: 'UNSUBSCRIBE', seq: 1, link_no: -1, human_count: 1, bot_count: 0 },
      ]);
      assert.equal((await listEvents(sent)).length, 1);
    });
  }

  test('one-click links are case-insensitive', async () => {
    const sent = await buildSentEmail(owner);
    await oneClick(`/u/${sign('unsubscribe', sent).toUpperCase()}`);
    assert.equal((await listSuppressions(sent)).length, 1);
  });

  test('concurrent one-click requests count once', async () => {
    const sent = await buildSentEmail(owner);
    const url = `/u/${sign('unsubscribe', sent)}`;
    const responses = await Promise.all(Array.from({ length: 20 }, () => oneClick(url)));
    assert.ok(responses.every(({ statusCode }) => statusCode === 200));
    assert.equal((await listSuppressions(sent)).length, 1);
    assert.equal((await listEvents(sent)).length, 1);
  });

  test('invalid one-click requests change nothing', async () => {
    const sent = await buildSentEmail(owner);
    const digest = await digestTenant(owner, sent.organizationId);
    const known = await buildSentEmail(owner);
    const wanted = await oneClick(`/u/${sign('unsubscribe', known)}`);
    for (const token of [
      'x',
      flip(sign('unsubscribe', sent)),
      sign('open', sent),
      sign('return_path', sent),
    ]) {
      const response = await oneClick(`/u/${token}`);
      assert.equal(response.statusCode, 200);
      assert.equal(response.body, wanted.body);
    }
    const large = await post(`/u/${sign('unsubscribe', sent)}`, `a=${'b'.repeat(8_200)}`, urlencoded);
    assert.equal(large.statusCode, 413);
    assert.deepEqual(await digestTenant(owner, sent.organizationId), digest);
  });
});

test('link scanners never change consent (LNK-3)', async () => {
  const sent = await buildSentEmail(owner);
  const renderer = createEmailRenderer(emailSnapshot, {
    publicUrl,
    signer,
    sendNumber: sent.sendNumber,
    messageIdBase: '1f0f7b0e-4a30-4d0a-9c55-0b4f7c2d9e11',
    bounceDomain: 'bounce.example',
    headers: { feedbackId: 'a:b:c:d', listId: '<a.example>' },
  });
  const recipient = { seq: 1, contactId: 'c', address: 'mia@example.org', variables: { code: 'x' } };
  const source = renderer.build(recipient, new Date()).message.toString('latin1').replaceAll('=\r\n', '');
  const paths = [...source.matchAll(/https:\/\/reachout\.example(\/[\w/.-]+)/g)].map(([, path = '']) => path);
  for (const kind of ['/t/o/', '/t/c/', '/u/', '/p/', '/v/'])
    assert.ok(
      paths.some((path) => path.startsWith(kind)),
      kind,
    );
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) await app.inject({ method, url: path });
    // Only /u takes a POST.
    if (!path.startsWith('/u/')) await post(path, 'source=page', urlencoded);
  }
  assert.deepEqual(await listSuppressions(sent), []);
  assert.ok((await listEvents(sent)).every(({ type }) => type === 'OPEN_EMAIL' || type === 'CLICK'));
});

suite('browser views', () => {
  test('a browser view has no scripts, cookies or tracking (TPL-5)', async () => {
    const sent = await buildSentEmail(owner, {
      snapshot: { html: `${emailSnapshot.html}<script>alert(1)</script>` },
      variables: { first_name: '<script>alert(2)</script>', code: 'x' },
    });
    const response = await get(`/v/${sign('view', sent)}`);
    assert.equal(response.statusCode, 200);
    const policy = String(response.headers['content-security-policy']);
    const sandbox = policy.split(';')[0]?.split(' ') ?? [];
    assert.equal(sandbox[0], 'sandbox');
    assert.ok(!sandbox.includes('allow-scripts') && !sandbox.includes('allow-same-origin'));
    assert.match(policy, /default-src 'none'/);
    assert.equal(response.headers['set-cookie'], undefined);
    assert.equal(response.headers['referrer-policy'], 'no-referrer');
    assert.match(response.body, /&lt;script&gt;alert\(2\)/);
    assert.doesNotMatch(response.body, /\/t\/[oc]\//);
    assert.match(response.body, /href="https:\/\/shop\.example\/for\/x"/);
    assert.deepEqual(await listCounts(sent), []);
  });

  test('a browser view requires its own token (TOK-1)', async () => {
    const sent = await buildSentEmail(owner);
    for (const token of [sign('unsubscribe', sent), sign('click', sent), flip(sign('view', sent)), 'x'])
      assert.equal((await get(`/v/${token}`)).statusCode, 404);
  });
});

suite('tracking without PostgreSQL', () => {
  test('pictures and known links work without the database', async () => {
    const sent = await buildSentEmail(owner);
    const [ownPool, ownPipelined] = [connect(shared.appUrl, { ...options, connections: 2 }), openPipelined()];
    const cut = await createTrackingApp(ownPool, ownPipelined);
    const ask = (method: 'GET' | 'POST', url: string) =>
      cut.inject({ method, url, headers: { 'user-agent': browser } });
    assert.equal((await ask('GET', `/t/o/${sign('open', sent)}`)).statusCode, 200);
    assert.equal((await ask('GET', `/t/c/${sign('click', sent)}.0`)).statusCode, 302);
    await Promise.all([ownPool.destroy(), ownPipelined.destroy()]);

    const stored = await listCounts(sent);
    assert.equal((await ask('GET', `/t/o/${sign('open', sent)}`)).statusCode, 200);
    assert.equal(
      (await ask('GET', `/t/c/${sign('click', sent)}.0`)).headers.location,
      'https://shop.example/spring?utm_source=mail',
    );
    const refused = await cut.inject({
      method: 'POST',
      url: `/u/${sign('unsubscribe', sent)}`,
      payload: 'List-Unsubscribe=One-Click',
      headers: { 'user-agent': browser, ...urlencoded },
    });
    assert.equal(refused.statusCode, 503);
    assert.ok(refused.headers['retry-after']);
    assert.deepEqual(await listCounts(sent), stored);
    await cut.close();
  });
});

/** Flips one bit, by default in the second to last byte: the last one has unused bits. */
function flip(token: string, bit = (token.length - 2) * 8): string {
  const bytes = Buffer.from(token, 'latin1');
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return bytes.toString('latin1');
}
