import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import type { TouchpointStatus } from '@reachout/contract/states/touchpoint.ts';
import { createTokenSigner, tokenPurposes } from '../../email/links/tokens.ts';
import { compileEmail } from '../../email/templates/compile-email.ts';
import { connect, type Database } from '../../platform/database/database.ts';
import { connectPipelined, type PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { createLog } from '../../platform/log.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { useSharedApp } from '../../testing/app.ts';
import { updateRows } from '../../testing/rows.ts';
import { fixtureContent, fixtureMjml } from '../../testing/send-fixture.ts';
import { buildSentEmail, type SentEmail } from '../../testing/sent-email.ts';
import { buildWebsite } from '../../testing/tracked-website.ts';
import { createSentMessages } from './sent-messages.ts';
import { registerTracking } from './tracking.routes.ts';
import { createVisitTokens, type VisitTokens } from './visit-tokens.ts';

const publicUrl = 'https://reachout.example';
const signer = createTokenSigner(randomBytes(32));
const secrets = createSecrets(randomBytes(32).toString('hex'));
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const log = createLog('silent');
const options = { name: 'tests', statementTimeoutMs: 20_000, onError: () => {} };

const shared = useSharedApp();
let owner: Database;
let pipelined: PipelinedDatabase;
let app: FastifyInstance;
let visits: VisitTokens;

const createTrackingApp = async (db: Database, events: PipelinedDatabase): Promise<FastifyInstance> => {
  const made = Fastify();
  await registerTracking(made, {
    db,
    pipelined: events,
    signer,
    secrets,
    publicUrl,
    log,
  });
  return made;
};

before(async () => {
  ({ owner } = shared);
  const db = shared.services.trackingDb;
  pipelined = connectPipelined(shared.appUrl, { ...options, connections: 1 });
  app = await createTrackingApp(db, pipelined);
  visits = createVisitTokens({ db, signer, messages: createSentMessages({ db, signer, publicUrl }), log });
});
after(async () => {
  await app.close();
  await pipelined.destroy();
});

const buildWebsiteOf = (
  { organizationId: organization_id }: SentEmail,
  hosts: string[],
  given: { status?: TouchpointStatus; deleted?: boolean } = {},
) => buildWebsite(owner, { organization_id, hosts, ...given });

const buildLinks = (urls: readonly string[]): Promise<SentEmail> =>
  buildSentEmail(owner, { snapshot: { links: urls.map((url) => ({ url, personal: false })) } });

/** @returns where a click on each link leads, each at another time, so that it is not taken for a scan */
const click = async (
  { sendNumber }: SentEmail,
  {
    linkNo = 0,
    seq = 1,
    headers = {},
    in: server = app,
  }: {
    linkNo?: number;
    seq?: number;
    headers?: Record<string, string>;
    in?: FastifyInstance;
  } = {},
) => {
  const url = `/t/c/${signer.sign({ sendNumber, seq }).click}.${linkNo}`;
  const response = await server.inject({
    method: 'GET',
    url,
    headers: { 'user-agent': browser, ...headers },
  });
  assert.equal(response.statusCode, 302);
  return response.headers.location;
};

const visitToken = ({ sendNumber }: SentEmail, seq = 1) => signer.signVisit({ sendNumber, seq });

suite('clicks that lead to tracked websites', () => {
  // Before, and with the visit token as V.
  const addresses: [string, string][] = [
    ['https://shop.example/', 'https://shop.example/?ctm_aid=V'],
    ['https://shop.example/a?b=1&b=2#c', 'https://shop.example/a?b=1&b=2&ctm_aid=V#c'],
    ['https://shop.example/#/route?x=1', 'https://shop.example/?ctm_aid=V#/route?x=1'],
    ['https://shop.example/?', 'https://shop.example/?ctm_aid=V'],
    [
      'https://shop.example/%7E%c3%A4?q=%20+a%26&&z&=1&q=a?b',
      'https://shop.example/%7E%c3%A4?q=%20+a%26&&z&=1&q=a?b&ctm_aid=V',
    ],
    ['https://shop.example/?ctm_aid=1-1-x&a=1', 'https://shop.example/?a=1&ctm_aid=V'],
    ['https://shop.example/?a=1&ctm%5Faid=x&ctm_aid', 'https://shop.example/?a=1&ctm_aid=V'],
    ['https://shop.example/?ctm_aid=x#ctm_aid=y', 'https://shop.example/?ctm_aid=V#ctm_aid=y'],
    ['https://shop.example/?ctm_aids=1&?ctm_aid=2', 'https://shop.example/?ctm_aids=1&?ctm_aid=2&ctm_aid=V'],
    ['https://a.b.shop.example/', 'https://a.b.shop.example/?ctm_aid=V'],
    ['http://localhost:3000/x', 'http://localhost:3000/x?ctm_aid=V'],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/?ctm_aid=V'],
  ];
  for (const [address, expected] of addresses)
    test(`${address} gets the token and stays as it is (LNK-1)`, async () => {
      const sent = await buildLinks([address]);
      await buildWebsiteOf(sent, [
        'shop.example',
        '*.shop.example',
        'localhost:3000',
        'xn--bcher-kva.example',
      ]);
      assert.equal(await click(sent), expected.replace('=V', `=${visitToken(sent)}`));
    });

  test('each recipient gets a separate token', async () => {
    const sent = await buildSentEmail(owner, { addresses: ['a@example.org', 'b@example.org'] });
    await buildWebsiteOf(sent, ['shop.example']);
    for (const seq of [1, 2])
      assert.equal(
        await click(sent, { seq, linkNo: 2 }),
        `https://shop.example/about?ctm_aid=${visitToken(sent, seq)}`,
      );
  });

  for (const address of [
    'https://shop.example/a%2Fb%c3%a4/?b=1&b=2&=&c=%20+#d?e=%2F',
    'https://shop.example/a%2Fb/?ctm_aid=own#e',
    'https://shop.example/{{ contact.code }}?a=1&a=2#f',
  ])
    test(`${address} stays as it is where its author wants it (LNK-1)`, async () => {
      const href = `href="${address.replaceAll('&', '&amp;')}"`;
      const mjml = fixtureMjml.replace(
        '<mj-button',
        `<mj-image rel="as-written" ${href} /><mj-button ${href}>x</mj-button><mj-button`,
      );
      const compiled = await compileEmail({ ...fixtureContent, mjml }, {}, 'tests');
      assert.ok(compiled.ok, JSON.stringify(compiled));
      const { links } = compiled.snapshot;
      const sent = await buildSentEmail(owner, { snapshot: { links }, variables: { code: 'A%2F1' } });
      await buildWebsiteOf(sent, ['shop.example']);
      const written = address.replace('{{ contact.code }}', 'A%2F1');
      assert.equal(await click(sent, { linkNo: 0 }), written);
      const withToken = written.replace(
        /(?:ctm_aid=own)?#/,
        (part) => `${part === '#' ? '&' : ''}ctm_aid=${visitToken(sent)}#`,
      );
      assert.equal(await click(sent, { linkNo: 1 }), withToken);
    });

  test('nothing of the request is taken along (LNK-1)', async () => {
    const sent = await buildLinks(['https://shop.example/']);
    await buildWebsiteOf(sent, ['shop.example']);
    const url = `/t/c/${signer.sign({ sendNumber: sent.sendNumber, seq: 1 }).click}.0`;
    const response = await app.inject({
      method: 'GET',
      url: `${url}?ctm_aid=evil&ctm_uid=1&ctm_ucn=contacts&url=https://evil.example`,
      headers: { 'user-agent': browser },
    });
    assert.equal(response.headers.location, `https://shop.example/?ctm_aid=${visitToken(sent)}`);
  });

  // Each is on a host that no active website of the organization has.
  const others: [string, string[], Parameters<typeof buildWebsiteOf>[2]?][] = [
    ['https://other.example/', ['shop.example']],
    ['https://shop.example.evil.example/', ['shop.example', '*.shop.example']],
    ['https://evilshop.example/', ['shop.example', '*.shop.example']],
    ['https://shop.example/', ['*.shop.example']],
    ['https://www.shop.example/', ['shop.example']],
    ['https://shop.example:8443/', ['shop.example']],
    ['https://shop.example/', ['shop.example'], { status: 'paused' }],
    ['https://shop.example/', ['shop.example'], { status: 'draft' }],
    ['https://shop.example/', ['shop.example'], { deleted: true }],
    ['https://shop.example/?ctm_aid=x', []],
  ];
  for (const [address, hosts, given] of others)
    test(`${address} stays with ${JSON.stringify({ hosts, ...given })} (LNK-1)`, async () => {
      const sent = await buildLinks([address]);
      await buildWebsiteOf(sent, hosts, given);
      assert.equal(await click(sent), address);
    });

  test("websites of another organization don't get a token", async () => {
    const [sent, other] = [await buildLinks(['https://shop.example/']), await buildLinks([])];
    await buildWebsiteOf(other, ['shop.example']);
    assert.equal(await click(sent), 'https://shop.example/');
  });

  test('bots, link checkers and readers who object get no token', async () => {
    const sent = await buildLinks(['https://shop.example/']);
    await buildWebsiteOf(sent, ['shop.example']);
    const requests: Record<string, string>[] = [
      { dnt: '1' },
      { 'sec-gpc': '1' },
      { 'user-agent': 'curl/8.5.0' },
      { 'sec-purpose': 'prefetch' },
    ];
    for (const headers of requests) assert.equal(await click(sent, { headers }), 'https://shop.example/');
    const url = `/t/c/${signer.sign({ sendNumber: sent.sendNumber, seq: 1 }).click}.0`;
    const head = await app.inject({ method: 'HEAD', url, headers: { 'user-agent': browser } });
    assert.equal(head.headers.location, 'https://shop.example/');
    assert.match(String(await click(sent)), /ctm_aid/);
  });

  test('a test message gets no token', async () => {
    const sent = await buildLinks(['https://shop.example/']);
    await buildWebsiteOf(sent, ['shop.example']);
    await updateRows(owner, 'touchpoint_sends', { id: sent.sendId }, { kind: 'test' });
    assert.equal(await click(sent), 'https://shop.example/');
    assert.equal(await visits.findMessage(sent.organizationId, visitToken(sent)), undefined);
  });

  test('links work while websites cannot be read', async () => {
    const sent = await buildLinks(['https://shop.example/']);
    await buildWebsiteOf(sent, ['shop.example']);
    const db = connect(shared.appUrl, { ...options, connections: 2 });
    const cut = await createTrackingApp(db, pipelined);
    // So that its link is in memory, but not the websites.
    const url = `/t/c/${signer.sign({ sendNumber: sent.sendNumber, seq: 1 }).click}.0`;
    await cut.inject({ method: 'HEAD', url });
    await db.destroy();
    assert.equal(await click(sent, { in: cut }), 'https://shop.example/');
    await cut.close();
  });
});

suite('tokens of visitors (TRK-3)', () => {
  test('a token names a message of the organization', async () => {
    const sent = await buildSentEmail(owner);
    assert.deepEqual(await visits.findMessage(sent.organizationId, visitToken(sent)), {
      touchpointId: sent.touchpointId,
      sendId: sent.sendId,
      seq: 1,
    });
  });

  test('forged and foreign tokens name nothing', async () => {
    const [sent, other] = [await buildSentEmail(owner), await buildSentEmail(owner)];
    const own = { sendNumber: sent.sendNumber, seq: 1 };
    const strange = [
      '',
      'x',
      visitToken(sent).slice(0, -1),
      `${visitToken(sent)}A`,
      visitToken(sent).toUpperCase(),
      visitToken(sent).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      visitToken(sent).replace(/^\w+-1/, (name) => name.replace(/1$/, '2')),
      createTokenSigner(randomBytes(32)).signVisit(own),
      signer.signVisit({ ...own, sendNumber: 999_999_999 }),
      ...tokenPurposes.flatMap((purpose) => (purpose === 'visit' ? [] : [signer.sign(own)[purpose]])),
    ];
    for (const token of strange)
      assert.equal(await visits.findMessage(sent.organizationId, token), undefined, token);
    assert.equal(await visits.findMessage(other.organizationId, visitToken(sent)), undefined);
  });
});

test('a signed address stays as it is, whatever signed it', async () => {
  const hex = '0123456789abcdef0123456789abcdef';
  const signed = [
    'signature=x',
    'a=1&Signature=x&Expires=2',
    'X-Amz-Signature=x',
    'X-Goog-Signature=x',
    'sig=x',
    'sv=1&sig=x%2B',
    'hmac=x',
    'Policy=x&Key-Pair-Id=y',
    'token=x&expires=2',
    'access_token=x&exp=2',
    `s=${hex}`,
    `w=1&s=${hex}`,
    'hash=x',
    'urlSignature=x',
    'request%5Fsig=x',
    'verify=1-x',
    'hdnts=x',
    'wmsAuthSign=x',
    'md5=x&e=1',
    '_sig=x#top',
  ];
  const others = [
    's=shoes',
    'token=x',
    'design=x',
    'signup=1',
    'expires=2',
    'sig=',
    'hashtag=x',
    'a=%',
    'x=1#sig=2',
  ];
  const urls = [...signed, ...others].map((query) => `https://shop.example/?${query}`);
  const sent = await buildLinks(urls);
  await buildWebsiteOf(sent, ['shop.example']);
  const message = { ...sent, seq: 1, isTest: false };
  for (const [index, url] of urls.entries()) {
    const address = await visits.addTo(url, message);
    assert.equal(address === url, index < signed.length, `${url} leads to ${address}`);
  }
});
