import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { tokenPurposes } from '../../email/links/tokens.ts';
import { newId } from '../../platform/ids.ts';
import { useSharedApp } from '../../testing/app.ts';
import {
  browser,
  buildTopicEmail,
  openAsBrowser,
  preferencesPath,
  signFor,
  submitAsBrowser,
} from '../../testing/topic-email.ts';
import { updateRows } from '../../testing/rows.ts';
import { digestTenant } from '../../testing/tenant.ts';
import { useMade } from '../../testing/use-made.ts';

const app = useSharedApp();

suite('tokens (TOK-1)', () => {
  const world = useMade(() => buildTopicEmail(app));
  let strange: Record<string, { touchpointId: string; token: string }>;

  before(async () => {
    const stranger = await buildTopicEmail(app);
    const sibling = await buildTopicEmail(app, { organizationId: world.organizationId });
    const { touchpointId, token } = world;
    strange = {
      'another organization': { touchpointId, token: stranger.token },
      'another brand and touchpoint': { touchpointId, token: sibling.token },
      'this token at another touchpoint': { touchpointId: sibling.touchpointId, token },
      'this token at an unknown touchpoint': { touchpointId: newId(), token },
      'a message that does not exist': { touchpointId, token: signFor(app, 'unsubscribe', world, 2) },
      'a send that does not exist': {
        touchpointId,
        token: signFor(app, 'unsubscribe', { ...world, sendNumber: 999_999_999 }),
      },
      'one bit altered': {
        touchpointId,
        token: `${token.slice(0, -2)}${token.at(-2) === 'a' ? 'b' : 'a'}${token.at(-1)}`,
      },
      'cut off': { touchpointId, token: token.slice(0, -1) },
      'no token': { touchpointId, token: 'x' },
      ...Object.fromEntries(
        tokenPurposes
          .filter((purpose) => purpose !== 'unsubscribe')
          .map((purpose) => [`for ${purpose}`, { touchpointId, token: signFor(app, purpose, world) }]),
      ),
    };
  });

  test('operations for programs respond to all wrong tokens with the same bytes', async () => {
    const digest = await digestTenant(app.owner, world.organizationId);
    const responses = new Map<string, string>();
    for (const [what, { touchpointId, token }] of Object.entries(strange)) {
      const path = preferencesPath({ touchpointId });
      const got = await app.app.inject({ method: 'GET', url: `${path}?token=${encodeURIComponent(token)}` });
      const changed = await app.app.inject({ method: 'PUT', url: path, payload: { token, pause: true } });
      assert.equal(got.statusCode, 404, what);
      assert.equal(changed.statusCode, 404, what);
      responses.set(`GET ${what}`, got.body);
      responses.set(`PUT ${what}`, changed.body);
    }
    assert.equal(new Set(responses.values()).size, 1);
    assert.deepEqual(await digestTenant(app.owner, world.organizationId), digest);
  });

  test('pages respond to all wrong tokens with the same bytes', async () => {
    const digest = await digestTenant(app.owner, world.organizationId);
    const ofAnotherMessage = ['another organization', 'another brand and touchpoint'];
    const wrong = Object.entries(strange).filter(
      ([what, { token }]) => token !== world.token && !ofAnotherMessage.includes(what),
    );
    for (const path of ['u', 'p']) {
      const bodies = new Set<string>();
      for (const [what, { token }] of wrong) {
        const url = `/${path}/${token}`;
        const fields = path === 'u' ? { source: 'page' } : { change: 'pause' };
        for (const response of [await openAsBrowser(app, url), await submitAsBrowser(app, url, fields)]) {
          assert.equal(response.statusCode, 404, `${path} ${what}`);
          bodies.add(response.body);
        }
      }
      assert.equal(bodies.size, 1, path);
    }
    assert.deepEqual(await digestTenant(app.owner, world.organizationId), digest);
  });
});

suite('only what RFC 8058 or a form says changes something (R9.1, LNK-3)', () => {
  type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'SEARCH';
  interface Case {
    method: Method;
    path: string;
    headers?: Record<string, string>;
    body?: string;
    changes: boolean;
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const json = { 'content-type': 'application/json' };
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
  const part = (name: string, value: string, more = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n--b--\r\n`;
  const oneClick = 'List-Unsubscribe=One-Click';
  const post = (
    path: string,
    headers: Record<string, string>,
    body: string | undefined,
    changes: boolean,
  ): Case => ({
    method: 'POST',
    path,
    headers,
    ...(body === undefined ? {} : { body }),
    changes,
  });
  const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const prefetch = { purpose: 'prefetch', 'sec-purpose': 'prefetch', 'x-moz': 'prefetch' };
  const replace = (headers: Record<string, string>, body: string, changes: boolean, path = 'api'): Case => ({
    method: 'PUT',
    path,
    headers,
    body,
    changes,
  });

  /** `TOKEN` and `TOPIC` stand for those of the message. */
  const cases: readonly Case[] = [
    // The unsubscribe page and the one-click address.
    { method: 'GET', path: '/u', changes: false },
    { method: 'GET', path: '/u?List-Unsubscribe=One-Click', changes: false },
    { method: 'GET', path: '/u?source=page', changes: false },
    { method: 'GET', path: '/u?source=page&undo=1&lang=de', changes: false },
    { method: 'GET', path: '/u', headers: { 'x-http-method-override': 'POST' }, changes: false },
    { method: 'GET', path: '/u', headers: prefetch, changes: false },
    {
      method: 'GET',
      path: '/u',
      headers: { 'user-agent': 'Mozilla/5.0 (compatible; Barracuda)' },
      changes: false,
    },
    { method: 'GET', path: '/u', headers: form, body: oneClick, changes: false },
    { method: 'HEAD', path: '/u', changes: false },
    { method: 'HEAD', path: '/u?List-Unsubscribe=One-Click', changes: false },
    { method: 'OPTIONS', path: '/u', changes: false },
    { method: 'PUT', path: '/u', headers: form, body: oneClick, changes: false },
    { method: 'PATCH', path: '/u', headers: form, body: oneClick, changes: false },
    { method: 'DELETE', path: '/u', changes: false },
    { method: 'SEARCH', path: '/u', headers: form, body: oneClick, changes: false },
    post('/u', form, oneClick, true),
    post('/u', { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }, oneClick, true),
    post('/u', multipart, part('List-Unsubscribe', 'One-Click'), true),
    post('/u', { ...form, cookie: 'a=b' }, oneClick, true),
    post('/u', { ...form, ...evil }, oneClick, true),
    post(
      '/u',
      { ...form, 'if-match': '"x"', 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' },
      oneClick,
      true,
    ),
    post('/u', { ...form, 'user-agent': '' }, oneClick, true),
    post('/u', form, `${oneClick}&extra=1&undo=1`, true),
    post('/u?lang=de', form, oneClick, true),
    post('/u', form, 'source=page', true),
    post('/u', multipart, part('source', 'page'), true),
    post('/u', {}, undefined, false),
    post('/u', form, '', false),
    post('/u', {}, oneClick, false),
    post('/u', { 'content-type': 'text/plain' }, oneClick, false),
    post('/u', { 'content-type': 'text/html' }, oneClick, false),
    post('/u', json, '{"List-Unsubscribe":"One-Click"}', false),
    post('/u', json, '{', false),
    post('/u', { 'content-type': 'multipart/form-data' }, part('List-Unsubscribe', 'One-Click'), false),
    post('/u', multipart, part('List-Unsubscribe', 'One-Click', '; filename="a.txt"'), false),
    post('/u', multipart, oneClick, false),
    post('/u', form, part('List-Unsubscribe', 'One-Click'), false),
    post('/u', form, 'list-unsubscribe=one-click', false),
    post('/u', form, 'LIST-UNSUBSCRIBE=ONE-CLICK', false),
    post('/u', form, 'List-Unsubscribe=Yes', false),
    post('/u', form, 'List-Unsubscribe-Post=List-Unsubscribe%3DOne-Click', false),
    post('/u', form, 'change=unsubscribe_brand', false),
    post('/u', form, 'source=PAGE', false),
    post('/u?List-Unsubscribe=One-Click', form, 'a=b', false),
    post('/u', { ...form, 'x-http-method-override': 'POST' }, 'a=b', false),
    post('/u', { ...form, 'list-unsubscribe': 'One-Click' }, 'a=b', false),
    post('/u', form, `${oneClick}&a=${'b'.repeat(8_200)}`, false),
    post('/u/data', form, oneClick, false),
    // The preference page.
    { method: 'GET', path: '/p', changes: false },
    { method: 'GET', path: '/p?change=unsubscribe_brand', changes: false },
    { method: 'GET', path: '/p?change=pause', headers: { 'x-http-method-override': 'POST' }, changes: false },
    { method: 'GET', path: '/p', headers: prefetch, changes: false },
    { method: 'HEAD', path: '/p?change=pause', changes: false },
    { method: 'OPTIONS', path: '/p', changes: false },
    { method: 'PUT', path: '/p', headers: form, body: 'change=pause', changes: false },
    { method: 'PATCH', path: '/p', headers: form, body: 'change=pause', changes: false },
    { method: 'DELETE', path: '/p', changes: false },
    post('/p', form, 'change=pause', true),
    post('/p', form, 'change=unsubscribe_brand', true),
    post('/p', form, 'change=unsubscribe_organization', true),
    post('/p', form, 'change=topics&shown=TOPIC', true),
    post('/p', form, 'change=allow_tracking', true),
    post('/p', multipart, part('change', 'pause'), true),
    post('/p', { ...form, ...evil, cookie: 'a=b' }, 'change=pause', true),
    post('/p', form, 'change=pause&extra=1&change=unsubscribe_brand', true),
    post('/p', form, 'change=topics&shown=TOPIC&topic=TOPIC', false),
    post('/p', form, 'change=topics', false),
    post('/p', form, 'change=topics&topic=TOPIC', false),
    post('/p', form, 'change=undo', false),
    post(
      '/p',
      form,
      'change=undo&unsubscribed_from=everything&paused_until=2999-01-01&tracking=maybe',
      false,
    ),
    post('/p', form, 'change=undo&paused_until=2001-01-01T00:00:00Z', false),
    post('/p', form, 'change=undo&topic.TOPIC=YES', false),
    post('/p', form, 'change=end_pause', false),
    post('/p', form, 'change=resubscribe', false),
    post('/p', form, oneClick, false),
    post('/p', multipart, part('List-Unsubscribe', 'One-Click'), false),
    post('/p', form, 'source=page', false),
    post('/p', form, 'change=PAUSE', false),
    post('/p', form, 'Change=pause', false),
    post('/p', form, 'change=constructor', false),
    post('/p', form, '', false),
    post('/p', {}, undefined, false),
    post('/p', json, '{"change":"pause"}', false),
    post('/p', { 'content-type': 'text/plain' }, 'change=pause', false),
    post('/p', multipart, part('change', 'pause', '; filename="a.txt"'), false),
    post('/p?change=pause', form, 'a=b', false),
    post('/p', form, `change=pause&a=${'b'.repeat(8_200)}`, false),
    // The operations for programs.
    { method: 'GET', path: 'api?token=TOKEN', changes: false },
    { method: 'GET', path: 'api?token=TOKEN', headers: { 'x-http-method-override': 'PUT' }, changes: false },
    { method: 'GET', path: 'api?token=TOKEN&pause=true', changes: false },
    { method: 'HEAD', path: 'api?token=TOKEN', changes: false },
    { method: 'SEARCH', path: 'api', headers: json, body: '{"token":"TOKEN","pause":true}', changes: false },
    { method: 'POST', path: 'api', headers: json, body: '{"token":"TOKEN","pause":true}', changes: false },
    { method: 'PATCH', path: 'api', headers: json, body: '{"token":"TOKEN","pause":true}', changes: false },
    { method: 'DELETE', path: 'api?token=TOKEN', changes: false },
    replace(json, '{"token":"TOKEN","pause":true}', true),
    replace(json, '{"pause":true}', true, 'api?token=TOKEN'),
    replace(json, '{"token":"TOKEN","unsubscribed_from":"brand"}', true),
    replace(
      { ...json, 'content-type': 'application/json; charset=utf-8' },
      '{"token":"TOKEN","pause":true}',
      true,
    ),
    replace(json, '{"token":"TOKEN"}', false),
    replace(json, '{"pause":true}', false),
    replace(json, '{"token":"TOKEN","pause":"true"}', false),
    replace(json, '{"token":"TOKEN","Pause":true}', false),
    replace(json, '{"token":"TOKEN","pause":true,"extra":1}', false),
    replace(json, '{"token":"TOKEN","unsubscribed_from":"Brand"}', false),
    replace(json, '{"token":"TOKEN","unsubscribed_from":"nothing","pause":false}', false),
    replace(json, '[]', false, 'api?token=TOKEN'),
    replace(json, '', false, 'api?token=TOKEN'),
    replace(form, 'token=TOKEN&pause=true', false),
    replace({ 'content-type': 'text/plain' }, '{"token":"TOKEN","pause":true}', false),
    replace({ ...json, ...evil, cookie: 'a=b' }, '{"token":"TOKEN","pause":true}', false),
  ];

  test('at least 60 requests to pages and operations are tried', () => {
    assert.ok(cases.length >= 60);
  });

  for (const { method, path, headers = {}, body, changes } of cases) {
    const what = `${method} ${path} ${JSON.stringify(headers)} ${body?.slice(0, 80) ?? ''}`;
    test(`${changes ? 'changes' : 'keeps'}: ${what}`, async () => {
      const world = await buildTopicEmail(app);
      await updateRows(app.owner, 'brands', { id: world.brandId }, { tracking_policy: 'with_consent' });
      const fill = (text: string) =>
        text.replaceAll('TOKEN', world.token).replaceAll('TOPIC', world.topics.news);
      const url = path.startsWith('api')
        ? fill(path.replace('api', preferencesPath(world)))
        : path.replace(/^\/(\w)/, `/$1/${world.token}`);
      const former = await digestTenant(app.owner, world.organizationId);
      const response = await app.app.inject({
        method: method as 'GET',
        url,
        headers: { 'user-agent': browser, ...headers },
        ...(body === undefined ? {} : { payload: fill(body) }),
      });
      assert.ok(response.statusCode < 500, response.body);
      assert.equal(response.headers['set-cookie'], undefined);
      const present = await digestTenant(app.owner, world.organizationId);
      const changed = Object.keys(present).filter((table) => present[table] !== former[table]);
      assert.equal(changed.includes('choices'), changes, changed.join(' '));
      if (!changes) assert.deepEqual(changed, []);
    });
  }
});
