import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, suite, test } from 'node:test';
import { createPost } from './post.ts';
import { createQueue, type Entry, type Queue } from './queue.ts';
import { createSender } from './sender.ts';

interface Received {
  at: number;
  headers: IncomingHttpHeaders;
  names: string[];
}

type Answer = [status: number, headers?: Record<string, string>];

suite('sending events', () => {
  let server: Server;
  let url: string;
  let received: Received[];
  /** Status of each request, by the names of its events. */
  let respond: (names: string[], count: number) => Answer | Promise<Answer>;
  let queue: Queue;
  let errors: string[];
  let stored: string[];

  before(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        const names = JSON.parse(body) as string[];
        received.push({ at: performance.now(), headers: request.headers, names });
        void Promise.resolve(respond(names, received.length)).then(([status, headers = {}]) =>
          response.writeHead(status, headers).end(),
        );
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  beforeEach(() => {
    received = [];
    errors = [];
    stored = [];
    respond = () => [204];
    queue = createQueue('q ', {});
  });
  // After a failure, too, nothing is sent again and again.
  afterEach(() => {
    queue.remove(queue.entries());
    server.closeAllConnections();
  });

  const namesIn = (entries: readonly Entry[]) => entries.map(([, json]) => JSON.parse(json) as string);

  function create(names: string[], websiteId: string = crypto.randomUUID()) {
    for (const name of names) queue.add(name, JSON.stringify(name));
    const attempt = async (work: () => unknown) => {
      try {
        await work();
      } catch (error) {
        errors.push(String(error));
      }
    };
    const onStored = (batch: readonly Entry[]) => void stored.push(...namesIn(batch));
    return {
      websiteId,
      sender: createSender({
        post: createPost({ url: `${url}/`, token: 'secret', websiteId }),
        websiteId,
        queue,
        attempt,
        onStored,
      }),
    };
  }

  async function until(what: string, holds: () => boolean): Promise<void> {
    const end = performance.now() + 30_000;
    while (!holds()) {
      assert.ok(performance.now() < end, `in vain: ${what}`);
      await new Promise((done) => setTimeout(done, 5));
    }
  }
  const untilEmpty = () => until('nothing waits', () => queue.entries().length === 0);

  test('a batch is sent with token and website, and removed when it is stored', async () => {
    const { sender, websiteId } = create(['a', 'b']);
    sender.wake();
    await untilEmpty();
    assert.deepEqual(
      received.map(({ names }) => names),
      [['a', 'b']],
    );
    assert.equal(received[0]!.headers.authorization, 'Bearer secret');
    assert.equal(received[0]!.headers['x-website-id'], websiteId);
    assert.equal(received[0]!.headers['content-type'], 'application/json');
    assert.deepEqual(stored, ['a', 'b']);
  });

  test('events that follow are collected for a second', async () => {
    const { sender } = create(['a']);
    sender.wake();
    await untilEmpty();
    // Woken once both are there: on a busy machine, the second may be over.
    for (const name of ['b', 'c']) queue.add(name, JSON.stringify(name));
    for (let times = 0; times < 2; times += 1) sender.wake();
    await untilEmpty();
    assert.deepEqual(
      received.map(({ names }) => names),
      [['a'], ['b', 'c']],
    );
    assert.ok(received[1]!.at - received[0]!.at >= 900);
  });

  test('one bad event does not take the others along', async () => {
    for (const status of [400, 413, 422]) {
      received = [];
      errors = [];
      stored = [];
      respond = (names) => [names.includes('b') ? status : 204];
      create(['a', 'b', 'c']).sender.wake();
      await untilEmpty();
      assert.deepEqual(
        received.map(({ names }) => names),
        [['a', 'b', 'c'], ['a'], ['b'], ['c']],
      );
      assert.deepEqual(stored, ['a', 'c']);
      assert.deepEqual(errors, [`Error: The server responded with ${status}.`]);
    }
  });

  test('a batch with a wrong token or type is dropped', async () => {
    for (const status of [401, 415]) {
      respond = () => [status];
      received = [];
      create(['a', 'b']).sender.wake();
      await untilEmpty();
      assert.equal(received.length, 1);
    }
    assert.deepEqual(stored, []);
  });

  test('what a server has no time for is sent again, and not before it says', async () => {
    for (const [status, headers, leastMs] of [
      [429, { 'retry-after': '2' }, 1_950],
      [503, {}, 450],
    ] as const) {
      received = [];
      stored = [];
      respond = (_names, count) => (count === 1 ? [status, headers] : [204]);
      const { sender } = create(['a']);
      sender.wake();
      await until('it is refused', () => errors.length > 0);
      errors = [];
      sender.wake(status === 429);
      await untilEmpty();
      assert.deepEqual(stored, ['a']);
      assert.ok(received[1]!.at - received[0]!.at >= leastMs, `${status}`);
    }
  });

  test('what waits is sent when the page is left, also before a response', async () => {
    let answerFirst: (answer: Answer) => void = () => {};
    const first = new Promise<Answer>((resolve) => {
      answerFirst = resolve;
    });
    respond = (_names, count) => (count === 1 ? first : [204]);
    const { sender } = create(['a']);
    sender.wake();
    await until('one is on its way', () => received.length === 1);
    queue.add('b', JSON.stringify('b'));
    sender.flush();
    await until('the other is stored', () => stored.includes('b'));
    answerFirst([204]);
    await untilEmpty();
    assert.deepEqual(
      received.map(({ names }) => names),
      [['a'], ['b']],
    );
  });

  test('of two tabs, one sends', async () => {
    const { sender, websiteId } = create(['a', 'b']);
    const other = create([], websiteId);
    sender.wake();
    other.sender.wake();
    await untilEmpty();
    assert.deepEqual(
      received.map(({ names }) => names),
      [['a', 'b']],
    );
  });
});
