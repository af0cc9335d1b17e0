import { deletePresets } from '@directus/sdk';
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { createOutboundClient, type OutboundClient } from '../../platform/outbound/outbound-client.ts';
import { createDirectusClient, type DirectusClient } from './directus-client.ts';
import { DirectusError, InvalidCall, toErrorContent } from './directus-error.ts';
import { listen } from '../../testing/listen.ts';

suite('Directus client', () => {
  let server: Server;
  let outbound: OutboundClient;
  let client: DirectusClient;
  let answer: RequestListener;
  const heard: string[] = [];

  before(async () => {
    server = createServer((request, response) => {
      heard.push(`${request.method} ${request.url}`);
      answer(request, response);
    });
    await listen(server);
    const { port } = server.address() as AddressInfo;
    outbound = createOutboundClient([`127.0.0.1:${port}`]);
    const connection = {
      organizationId: 'one',
      endpoint: `http://127.0.0.1:${port}/base`,
      accessToken: 'a-token-0123456789',
    };
    client = createDirectusClient(outbound, connection, { attempts: 3, waitMs: 1, untilMs: 60_000 });
  });
  after(async () => {
    await outbound.close();
    server.closeAllConnections();
    server.close();
  });

  const answerWith = (...answers: [status: number, body: unknown, headers?: Record<string, string>][]) => {
    heard.length = 0;
    answer = (_request, response) => {
      const [status, body, headers = {}] = answers[Math.min(heard.length, answers.length) - 1]!;
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    };
  };
  const failing = async (work: () => Promise<unknown>): Promise<unknown> =>
    await work().then(
      () => assert.fail('It did not fail.'),
      (error: unknown) => error,
    );

  test('empty or internal collections and keys are never requested', async () => {
    answerWith([200, { data: [] }]);
    const calls: [message: string, call: () => Promise<unknown>][] = [
      ['Collection cannot be empty', () => client.readItems('', {})],
      ['Collection cannot be empty', () => client.readItem('', '1')],
      ['Collection cannot be empty', () => client.countItems('')],
      ['Collection cannot be empty', () => client.createItem('', {})],
      ['Collection cannot be empty', () => client.createItems('', [{}])],
      ['Collection cannot be empty', () => client.updateItem('', '1', {})],
      ['Collection cannot be empty', () => client.updateItems('', [{ key: '1', data: {} }])],
      ['Collection cannot be empty', () => client.deleteItem('', '1')],
      ['Collection cannot be empty', () => client.deleteItems('', ['1'])],
      ['Collection cannot be empty', () => client.listFields('')],
      ['Collection cannot be empty', () => client.listPresets('')],
      ['Collection cannot be empty', () => client.readItems(undefined as never, {})],
      ['Key cannot be empty', () => client.readItem('contacts', '')],
      ['Key cannot be empty', () => client.readItem('contacts', undefined as never)],
      ['Key cannot be empty', () => client.updateItem('contacts', '', {})],
      ['Key cannot be empty', () => client.deleteItem('contacts', '')],
      // In the order of the SDK.
      ['Key cannot be empty', () => client.updateItem('', '', {})],
      ['Collection cannot be empty', () => client.readItem('', '')],
      ['Collection cannot be empty', () => client.deleteItem('', '')],
      ['Keys cannot be empty', () => client.request(deletePresets([]), 'any')],
      ['keysOrQuery cannot be empty', () => client.updateItems('contacts', [])],
      ['keysOrQuery cannot be empty', () => client.deleteItems('contacts', [])],
      ['Cannot use readItems for core collections', () => client.readItems('directus_users', {})],
      ['Cannot use readItem for core collections', () => client.readItem('directus_users', '1')],
      ['Cannot use createItem for core collections', () => client.createItem('directus_users', {})],
      [
        'Cannot use updateItems for core collections',
        () => client.updateItems('directus_x', [{ key: '1', data: {} }]),
      ],
      ['Cannot use deleteItem for core collections', () => client.deleteItem('directus_users', '1')],
      ['There is no such collection.', () => client.readItems('../users', {})],
      ['There is no such item.', () => client.readItem('contacts', '../../users')],
    ];
    for (const [message, call] of calls) {
      const error = await failing(call);
      assert.ok(error instanceof InvalidCall, String(error));
      assert.deepEqual([error.message, toErrorContent(error)], [message, message]);
    }
    assert.deepEqual(heard, []);
  });

  test('safe calls are retried after a delay', async () => {
    const down: [number, unknown] = [503, { errors: [{ message: 'Down.' }] }];
    answerWith(down, [429, {}, { 'retry-after': '0' }], [200, { data: [{ id: 1 }] }]);
    assert.deepEqual(await client.readItems('contacts', { limit: 1 }), [{ id: 1 }]);
    assert.deepEqual(
      heard.map((line) => line.replace(/\?.*/, '')),
      Array.from({ length: 3 }, () => 'GET /base/items/contacts'),
    );
    answerWith(down);
    assert.equal(((await failing(() => client.readItems('contacts', {}))) as Error).message, 'Down.');
    assert.equal(heard.length, 3);
    answerWith(down);
    await failing(() => client.createItem('contacts', { email: 'a@x.example' }));
    assert.equal(heard.length, 1, 'without an id, a second item could come of it');
    answerWith(down, [200, { data: { id: 1 } }]);
    await client.createItem('contacts', { id: 1 });
    assert.equal(heard.length, 2);
    for (const status of [400, 401, 403, 404, 500]) {
      answerWith([status, { errors: [{ message: 'No.' }] }]);
      await failing(() => client.readItems('contacts', {}));
      assert.equal(heard.length, 1, String(status));
    }
  });

  test('errors contain the text of the Directus or a default', async () => {
    const contentOf = async (errors: unknown) => {
      answerWith([400, { errors }]);
      const error = await failing(() => client.readItems('contacts', {}));
      assert.ok(error instanceof DirectusError);
      return toErrorContent(error);
    };
    assert.equal(
      await contentOf([{ message: 'Value "x" has to be unique.' }]),
      'Value "x" has to be unique.',
    );
    for (const errors of [
      [],
      [{}],
      [{ message: '' }],
      [{ message: '\u0000 ' }],
      [{ message: 7 }],
      'no',
      null,
    ]) {
      assert.equal(await contentOf(errors), 'Directus request error', JSON.stringify(errors));
    }
    assert.equal((await contentOf([{ message: 'é'.repeat(900) }])).length, 500);
    assert.equal(toErrorContent(new Error('of our own')), 'Directus request error');
  });
});
