import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLog } from './log.ts';

/** LOG-1: in each place where libraries and callers may pass a secret. */
suite('log', () => {
  const marker = 'marker-4711';
  const write = (work: (log: ReturnType<typeof createLog>) => void): string => {
    let lines = '';
    work(createLog('trace', { write: (line) => void (lines += line) }));
    return lines;
  };
  const connection = {
    password: marker,
    connectionParameters: { password: marker, connectionString: `postgres://u:${marker}@db/x` },
  };

  const secrets: [what: string, entry: object][] = [
    ['an error that carries a client', { err: Object.assign(new Error('lost'), { client: connection }) }],
    [
      'an error that carries its request',
      {
        err: Object.assign(new Error('lost'), {
          config: { headers: { cookie: marker, authorization: marker } },
        }),
      },
    ],
    [
      'an error with a cause',
      { err: new Error('lost', { cause: Object.assign(new Error('why'), connection) }) },
    ],
    [
      'several errors in one',
      { err: new AggregateError([Object.assign(new Error('one'), connection)], 'lost') },
    ],
    ['a password', { settings: { password: marker } }],
    ['a token', { link: { token: marker } }],
    ['headers', { req: { headers: { cookie: marker, authorization: marker } } }],
  ];
  for (const [what, entry] of secrets) {
    test(`secrets in ${what} are not logged`, () => {
      const lines = write((log) => {
        log.error(entry, 'failed');
        log.child({ role: 'worker' }).warn(entry, 'failed');
      });
      assert.equal(lines.trim().split('\n').length, 2);
      assert.ok(!lines.includes(marker), lines);
    });
  }

  test('entries have message, time and place as JSON', () => {
    const error = Object.assign(new TypeError('not a number'), { code: 'ERR_NUMBER' });
    const line = JSON.parse(write((log) => log.error({ err: error, request: 'r1' }, 'operation failed'))) as {
      time: string;
      err: Record<string, string>;
    };
    assert.equal(new Date(line.time).toISOString(), line.time);
    assert.deepEqual(
      { ...line, time: '', err: { ...line.err, stack: '' } },
      {
        level: 50,
        time: '',
        request: 'r1',
        msg: 'operation failed',
        err: { type: 'TypeError', message: 'not a number', code: 'ERR_NUMBER', stack: '' },
      },
    );
    assert.match(line.err['stack'] ?? '', /log\.test\.ts/);
  });

  test('repeated outage messages are limited to one a minute (LOG-2)', (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const lines = write((log) => {
      for (let times = 0; times < 1_000; times += 1) {
        log.child({ request: String(times) }).error({ err: away() }, 'database away');
        log.warn({ bound: 'connections' }, 'limit reached');
      }
      log.error({ err: away() }, 'send could not go on');
      context.mock.timers.tick(60_000);
      // A minute without errors ends the outage: the next error starts a new one.
      context.mock.timers.tick(60_000);
      log.error({ err: away() }, 'database away');
    });
    const entries = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; request?: string; repeated?: number; err?: object });
    assert.deepEqual(
      entries.map(({ msg, repeated }) => [msg, repeated]),
      [
        ['database away', undefined],
        ['limit reached', undefined],
        ['send could not go on', undefined],
        ['database away', 999],
        ['limit reached', 999],
        ['database away', undefined],
      ],
    );
    // The first line has the id of its request, a repeat count the id of the last counted request.
    assert.deepEqual([entries[0]?.request, entries[3]?.request], ['0', '999']);
    assert.deepEqual(entries[0]?.err, {
      type: 'Error',
      message: 'connect ECONNREFUSED',
      code: 'ECONNREFUSED',
    });
  });

  test('each entry is one line', () => {
    assert.equal(
      write((log) => log.info('one\ntwo\r\n{"level":60}'))
        .trim()
        .split('\n').length,
      1,
    );
  });
});
