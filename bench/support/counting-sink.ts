import { createServer, type AddressInfo, type Socket } from 'node:net';
import { serveParent } from './child-process.ts';

// A mail server in its own process that accepts and counts all messages with little work. Both sides of a benchmark
// deliver to it. Supports PIPELINING (RFC 2920) and one recipient per message. Can fail for some recipients.

export interface SinkCount {
  messages: number;
  /** Number of distinct recipients; undefined when the sink does not count them. */
  recipients: number | undefined;
  /** Unix milliseconds, with fractions. */
  firstAt: number;
  lastAt: number;
}

/** Faults selected by the number in the recipient's address, as in user12@sink.example. */
export interface SinkFaults {
  /** Drops the connection for every n-th recipient, alternately at RCPT and at DATA. */
  dropEvery?: number;
  /** Closes the connection after the text for every n-th recipient, without a reply to it. */
  cutEvery?: number;
  /** Confirms the text for every n-th recipient only after `slowMs`. */
  slowEvery?: number;
  slowMs?: number;
}

const greeting = '220 sink.example ESMTP\r\n';
const capabilities = '250-sink.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 35882577\r\n';
const taken = '250 2.0.0 queued\r\n';
const endOfText = Buffer.from('\r\n.\r\n');
const lineFeed = 10;

let messages = 0;
let firstAt = 0;
let lastAt = 0;
const recipients = new Set<string>();
let onFirst: (() => void) | undefined;
let faults: SinkFaults = {};

const server = createServer({ noDelay: true }, serve);
server.listen(0, '127.0.0.1', () => {
  serveParent({
    port: () => (server.address() as AddressInfo).port,
    count: (): SinkCount => ({ messages, recipients: recipients.size, firstAt, lastAt }),
    reset: (next: SinkFaults) => {
      faults = next;
      messages = 0;
      recipients.clear();
    },
    /** Resolves when the first message after `reset` has arrived. */
    first: () => (messages > 0 ? undefined : new Promise<void>((resolve) => (onFirst = resolve))),
  });
});

function serve(socket: Socket): void {
  let pending: Buffer | undefined;
  let isInText = false;
  let isSlow = false;
  let recipient = '';
  socket.write(greeting);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => read(pending === undefined ? chunk : Buffer.concat([pending, chunk])));

  function read(bytes: Buffer): void {
    pending = undefined;
    let responses = '';
    let at = 0;
    while (at < bytes.length) {
      if (isSlow) {
        pending = bytes.subarray(at);
        break;
      }
      if (isInText) {
        const end = bytes.indexOf(endOfText, at);
        if (end < 0) {
          // The end-of-text marker can be split anywhere: keep bytes that could be its start.
          pending = bytes.subarray(Math.max(at, bytes.length - endOfText.length + 1));
          break;
        }
        isInText = false;
        at = end + endOfText.length;
        if (isNth(recipient, faults.cutEvery)) {
          socket.end(responses, 'latin1');
          return;
        }
        if (isNth(recipient, faults.slowEvery)) {
          isSlow = true;
          setTimeout(confirmLate, faults.slowMs);
          continue;
        }
        take(recipient);
        responses += taken;
        continue;
      }
      const end = bytes.indexOf(lineFeed, at);
      if (end < 0) {
        pending = bytes.subarray(at);
        break;
      }
      const line = bytes.toString('latin1', at, end).trimEnd();
      at = end + 1;
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'RCPT') recipient = line.slice(line.indexOf('<') + 1, line.indexOf('>'));
      if (isDropped(verb, recipient)) {
        // Like mail servers, confirms the messages that it accepted before it drops the connection.
        socket.end(responses, 'latin1');
        return;
      }
      if (verb === 'EHLO') responses += capabilities;
      else if (verb === 'DATA') {
        isInText = true;
        responses += '354 go on\r\n';
      } else if (verb === 'QUIT') responses += '221 2.0.0 bye\r\n';
      else responses += '250 2.0.0 ok\r\n';
    }
    if (responses !== '') socket.write(responses, 'latin1');
  }

  function confirmLate(): void {
    isSlow = false;
    take(recipient);
    socket.write(taken, 'latin1');
    if (pending !== undefined) read(pending);
  }
}

function isDropped(verb: string, recipient: string): boolean {
  const { dropEvery } = faults;
  if (dropEvery === undefined || (verb !== 'RCPT' && verb !== 'DATA') || !isNth(recipient, dropEvery))
    return false;
  return isNth(recipient, dropEvery * 2) === (verb === 'DATA');
}

const isNth = (recipient: string, every: number | undefined): boolean =>
  every !== undefined && Number(/^user(\d+)@/.exec(recipient)?.[1]) % every === 0;

function take(recipient: string): void {
  lastAt = performance.timeOrigin + performance.now();
  messages += 1;
  if (messages === 1) {
    firstAt = lastAt;
    onFirst?.();
    onFirst = undefined;
  }
  recipients.add(recipient);
}
