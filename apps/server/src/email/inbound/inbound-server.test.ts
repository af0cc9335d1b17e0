import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { suite, test, type TestContext } from 'node:test';
import { createTransport } from 'nodemailer';
import { createLog } from '../../platform/log.ts';
import { testCertificate, testKey } from '../../testing/smtp-certificate.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createTokenSigner } from '../links/tokens.ts';
import { InboundFull } from './inbound-full.ts';
import { InboundServer, type InboundServerOptions } from './inbound-server.ts';
import { maxInboundBytes, type InboundMail } from './returned-mail.ts';

const secret = Buffer.alloc(32, 5);
const earlierSecret = Buffer.alloc(32, 6);
const signer = createTokenSigner(secret, [earlierSecret]);
const tokens = signer.sign({ sendNumber: 99, seq: 7 });
const host = 'bounce.brand.example';
const returnPath = `b.${tokens.return_path}@${host}`;

async function startServer(t: TestContext, options: Partial<InboundServerOptions> = {}) {
  const taken: InboundMail[] = [];
  const server = new InboundServer({
    host: '127.0.0.1',
    port: 0,
    name: 'bounce.reachout.example',
    signer,
    isBounceHost: (domain) => Promise.resolve(domain === host || domain === 'bounce.xn--bcher-kva.example'),
    store: (mail) => {
      taken.push(mail);
      return Promise.resolve();
    },
    log: createLog('silent'),
    ...options,
  });
  const port = await server.listen();
  t.after(() => server.stop());
  const metric = (name: string) =>
    server
      .collectMetrics()
      .find((of) => of.name === `reachout_inbound_${name}`)!
      .values.reduce((sum, { value }) => sum + value, 0);
  return { server, port, taken, metric, open: (address?: string) => Dialog.open(t, port, address) };
}

/** @returns an address of this machine that is not its own network */
const findOwnAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((of) => of ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

/** A client that sends lines, and reads replies. */
class Dialog {
  readonly socket: Socket;
  greeting = '';
  #received = '';

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => (this.#received += bytes.toString('latin1')));
    socket.on('error', () => undefined);
  }

  static async open(t: TestContext, port: number, address = '127.0.0.1'): Promise<Dialog> {
    const dialog = new Dialog(connect(port, address));
    t.after(() => dialog.socket.destroy());
    dialog.greeting = await dialog.reply();
    return dialog;
  }

  /** The next reply, all lines; empty if the connection ends. */
  async reply(): Promise<string> {
    for (;;) {
      const reply = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(this.#received)?.[0];
      if (reply !== undefined) {
        this.#received = this.#received.slice(reply.length);
        return reply.trim();
      }
      if (this.socket.closed || this.socket.readableEnded) return '';
      await Promise.race([once(this.socket, 'data'), once(this.socket, 'end'), once(this.socket, 'close')]);
    }
  }

  async say(line: string): Promise<string> {
    this.socket.write(`${line}\r\n`);
    return await this.reply();
  }

  /** @returns the replies to RCPT, or to the end of the message */
  async send(to: string, message: string | Buffer, from = ''): Promise<string> {
    await this.say('EHLO mx.recipient.example');
    await this.say(`MAIL FROM:<${from}>`);
    const answer = await this.say(`RCPT TO:<${to}>`);
    if (!answer.startsWith('250')) return answer;
    await this.say('DATA');
    this.socket.write(message);
    return await this.say('\r\n.');
  }
}

suite('the listener for returned mail', () => {
  test('mail that a token proves is stored before 250', async (t) => {
    const [begun, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { open, metric } = await startServer(t, {
      store: () => {
        begun.resolve();
        return stored.promise;
      },
    });
    let hasReply = false;
    const answer = (await open())
      .send(returnPath, 'Subject: Failed\r\n\r\nbody')
      .finally(() => (hasReply = true));
    await begun.promise;
    assert.equal(hasReply, false);
    stored.resolve();
    assert.match(await answer, /^250 /);
    assert.equal(metric('messages_total'), 1);
  });

  const mailboxes: [what: string, address: string, mailbox: string][] = [
    ['a return path', returnPath, `b.${tokens.return_path}`],
    ['a return path in capital letters', returnPath.toUpperCase(), `b.${tokens.return_path}`],
    ['an address of List-Unsubscribe', `u+${tokens.unsubscribe}@${host}`, `u+${tokens.unsubscribe}`],
    ['the mailbox for complaints', `complaints@${host}`, 'complaints'],
    ['a host with other letters', 'complaints@bounce.bücher.example', 'complaints'],
    [
      'a token of an earlier key',
      `b.${createTokenSigner(earlierSecret).sign({ sendNumber: 1, seq: 1 }).return_path}@${host}`,
      `b.${createTokenSigner(earlierSecret).sign({ sendNumber: 1, seq: 1 }).return_path}`,
    ],
  ];
  for (const [what, address, mailbox] of mailboxes)
    test(`mail to ${what} is taken`, async (t) => {
      const { open, taken } = await startServer(t);
      assert.match(await (await open()).send(address, 'a: b\r\n\r\n..\r\nc', 'mx@r.example'), /^250 /);
      assert.deepEqual(
        taken.map((mail) => [mail.mailbox, mail.raw.toString()]),
        [[mailbox, 'Return-Path: <mx@r.example>\r\na: b\r\n\r\n.\r\nc\r\n']],
      );
    });

  const others: [what: string, address: string][] = [
    ['a made-up token', `b.2r-7-${'a'.repeat(26)}@${host}`],
    ['a token for something else', `b.${tokens.unsubscribe}@${host}`],
    ['a host of nobody', `b.${tokens.return_path}@bounce.other.example`],
    ['any other mailbox', `postmaster@${host}`],
  ];
  for (const [what, address] of others)
    test(`${what} is refused before the message`, async (t) => {
      const { open, taken, metric } = await startServer(t);
      const dialog = await open();
      assert.equal(await dialog.send(address, ''), '550 5.1.1 No such mailbox.');
      assert.match(await dialog.say('DATA'), /^503 /);
      assert.equal(metric('recipients_refused_total'), 1);
      assert.deepEqual(taken, []);
    });

  test('a message has one recipient', async (t) => {
    const { open } = await startServer(t);
    const dialog = await open();
    for (const line of ['EHLO a.example', 'MAIL FROM:<>', `RCPT TO:<${returnPath}>`]) await dialog.say(line);
    assert.match(await dialog.say(`RCPT TO:<complaints@${host}>`), /^452 4\.5\.3 /);
  });

  const failures: [what: string, error: Error, reply: RegExp][] = [
    ['the database is away', new Error('secret'), /^451 4\.3\.0 (?!.*secret)/],
    ['too much waits', new InboundFull(), /^451 4\.3\.1 /],
  ];
  for (const [what, error, reply] of failures)
    test(`mail is to be sent again if ${what}`, async (t) => {
      const { open, metric } = await startServer(t, { store: () => Promise.reject(error) });
      assert.match(await (await open()).send(returnPath, 'a: b\r\n'), reply);
      assert.equal(metric('store_failures_total'), 1);
    });

  test('complaints are to be sent again while too many wait', async (t) => {
    const { open, metric } = await startServer(t, { store: () => Promise.reject(new InboundFull()) });
    assert.match(await (await open()).send(`complaints@${host}`, 'a: b\r\n'), /^451 4\.3\.1 /);
    assert.deepEqual([metric('complaints_refused_total'), metric('store_failures_total')], [1, 0]);
  });

  test('a recipient is to be tried again if its host cannot be looked up', async (t) => {
    const { open } = await startServer(t, { isBounceHost: () => Promise.reject(new Error('away')) });
    assert.match(await (await open()).send(returnPath, ''), /^451 4\.3\.0 /);
  });

  test('the start of a long message is kept', async (t) => {
    const { open, taken, metric } = await startServer(t);
    assert.match(await (await open()).send(returnPath, Buffer.alloc(1_000_000, 'a')), /^250 /);
    assert.equal(taken[0]?.raw.length, maxInboundBytes);
    assert.ok(metric('dropped_bytes_total') > 1_000_000 - maxInboundBytes);
  });

  test('a message without end ends its connection', async (t) => {
    const { open, taken } = await startServer(t, { limits: { messageBytes: 100_000 } });
    const dialog = await open();
    const answer = dialog.send(returnPath, Buffer.alloc(200_000, 'a'));
    assert.match(await answer, /^552 5\.3\.4 /);
    assert.equal(await dialog.say(`MAIL FROM:<>`), '');
    assert.deepEqual(taken, []);
  });

  test('neither signing in nor TLS without a certificate is offered', async (t) => {
    const { open } = await startServer(t);
    const dialog = await open();
    assert.doesNotMatch(await dialog.say('EHLO a.example'), /AUTH|STARTTLS|a\.example|127/);
    for (const line of ['AUTH PLAIN AAAA', 'STARTTLS', 'HELP'])
      assert.match(await dialog.say(line), /^50\d /);
  });

  test('with a certificate, mail comes over TLS', async (t) => {
    const { port, taken } = await startServer(t, { certificate: { cert: testCertificate, key: testKey } });
    const tls = { ca: [testCertificate], servername: 'localhost' };
    const client = createTransport({ host: '127.0.0.1', port, requireTLS: true, tls });
    await client.sendMail({ envelope: { from: '', to: returnPath }, text: 'It failed.' });
    client.close();
    assert.match(taken[0]!.raw.toString(), /It failed\./);
  });

  test('a connection ends after too many recipients or messages', async (t) => {
    const { open, metric } = await startServer(t, {
      limits: { refusedRecipients: 2, messagesPerConnection: 1 },
    });
    const stranger = await open();
    const replies = [];
    for (let count = 0; count < 3; count += 1) replies.push(await stranger.send(`a${count}@${host}`, ''));
    assert.deepEqual(
      replies.map((reply) => reply.slice(0, 3)),
      ['550', '550', '421'],
    );
    const server = await open();
    assert.match(await server.send(returnPath, 'a: b\r\n'), /^250 /);
    assert.match(await server.say('MAIL FROM:<>'), /^421 4\.7\.0 /);
    assert.equal(metric('recipients_refused_total'), 3);
  });

  test('a slow client does not keep its connection', async (t) => {
    const { open } = await startServer(t, { limits: { messageMs: 300 } });
    const dialog = await open();
    const dripping = setInterval(() => dialog.socket.write('N'), 50);
    assert.match(await dialog.reply(), /^421 4\.4\.2 /);
    clearInterval(dripping);
  });

  test('what is being stored is stored when the server stops', async (t) => {
    const [begun, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { server, open } = await startServer(t, {
      store: () => {
        begun.resolve();
        return stored.promise;
      },
    });
    const dialog = await open();
    const answer = dialog.send(returnPath, 'a: b\r\n');
    await begun.promise;
    const stopped = server.stop();
    stored.resolve();
    assert.match(await answer, /^250 /);
    dialog.socket.end();
    await stopped;
    assert.equal(server.isListening, false);
  });

  test('connections are limited, in all and by network', async (t) => {
    const { open, metric } = await startServer(t, {
      host: '0.0.0.0',
      limits: { connections: 3, connectionsPerNetwork: 1 },
    });
    for (let count = 0; count < 3; count += 1) assert.match((await open()).greeting, /^220 \S+ ESMTP$/);
    assert.match((await open()).greeting, /^421 /);
    const address = findOwnAddress();
    if (address === undefined) return t.skip('this machine has no network');
    const { open: openOther, metric: metricOfOther } = await startServer(t, {
      host: '0.0.0.0',
      limits: { connectionsPerNetwork: 1 },
    });
    const first = await openOther(address);
    assert.match((await openOther(address)).greeting, /^421 4\.7\.0 /);
    first.socket.destroy();
    await waitUntil('the first is gone', () => Promise.resolve(metricOfOther('connections') === 0));
    assert.match((await openOther(address)).greeting, /^220 /);
    assert.equal(metricOfOther('connections_refused_total'), 1);
    assert.equal(metric('connections'), 3);
  });

  test('complaints of a network have a rate, other mail has none', async (t) => {
    const address = findOwnAddress();
    if (address === undefined) return t.skip('this machine has no network');
    const { open, taken, metric } = await startServer(t, {
      host: '0.0.0.0',
      limits: { complaintsPerMinute: 1 },
    });
    const dialog = await open(address);
    const complaint = () => dialog.send(`complaints@${host}`, 'a: b\r\n');
    assert.match(await complaint(), /^250 /);
    assert.match(await complaint(), /^451 4\.7\.0 /);
    assert.match(await dialog.send(returnPath, 'a: b\r\n'), /^250 /);
    // This machine may pass on the mail of many.
    assert.match(await (await open()).send(`complaints@${host}`, 'a: b\r\n'), /^250 /);
    assert.equal(taken.length, 3);
    assert.equal(metric('complaints_refused_total'), 1);
  });
});
