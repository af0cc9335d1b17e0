import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serveParent } from './child-process.ts';
import { load, type LoadReport } from './http-load.ts';

// Accounts that send requests as fast as they can, in their own process, from a thousand IP addresses.

export interface FloodOrder {
  port: number;
  accounts: { organizationId: string; cookie: string }[];
  /** Concurrent requests. */
  connections: number;
  /** Every n-th request is a count of contacts; the others are lists of campaigns. */
  everyCount: number;
  /** Milliseconds. */
  duration: number;
}

export interface AskOrder {
  port: number;
  accounts: FloodOrder['accounts'];
  /** Concurrent requests. */
  connections: number;
  /** Paths that are requested once each, then those that are requested repeatedly. */
  once: string[];
  repeated: string[];
  /** Milliseconds. */
  duration: number;
}

export interface StallOrder {
  port: number;
  /** Its organization has items for a page of almost the largest size. */
  account: FloodOrder['accounts'][number];
  /** Milliseconds. */
  duration: number;
}

serveParent({ flood, ask, stall });

async function flood({ port, accounts, connections, everyCount, duration }: FloodOrder): Promise<LoadReport> {
  const isCount = (n: number) => n % everyCount === 0;
  const accountOf = (n: number) => accounts[n % accounts.length]!;
  return await load({
    port,
    connections,
    duration,
    path: (n) =>
      isCount(n) ? '/api/filters/count' : `/api/campaigns?organization_id=${accountOf(n).organizationId}`,
    body: (n) => (isCount(n) ? JSON.stringify({ organization_id: accountOf(n).organizationId }) : undefined),
    headers: (n) => headersOf(accountOf(n), n),
    expected: 'HTTP/1.1 ',
  });
}

async function ask(order: AskOrder): Promise<LoadReport> {
  const { accounts, once, repeated } = order;
  return await load({
    ...order,
    path: (n) => once[n] ?? repeated[(n - once.length) % repeated.length]!,
    headers: (n) => headersOf(accounts[n % accounts.length]!, n),
    expected: 'HTTP/1.1 ',
  });
}

/**
 * Opens connections that never come to an end: pages of one account that nobody reads, and bodies of strangers for sign-in,
 * declared and chunked, too large and not. Keeps all of them open. @returns how many were opened
 */
async function stall({ port, account, duration }: StallOrder): Promise<number> {
  const sockets: Socket[] = [];
  const open = (head: string, headers: Record<string, string>, body = Buffer.alloc(0)) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined).pause();
    const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(`${head} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    socket.write(body);
    sockets.push(socket);
  };
  const json = { 'content-type': 'application/json', 'x-forwarded-for': '198.18.0.1' };
  const signIn = 'POST /api/auth/sign-in/email';
  const end = performance.now() + duration;
  for (let n = 0; performance.now() < end; n += 1) {
    open(`GET /api/content/${account.organizationId}/items/newsletters?limit=500`, headersOf(account, n));
    open(signIn, { ...json, 'content-length': '1000000' }, Buffer.alloc(100_000));
    open(signIn, { ...json, 'content-length': '16000' }, Buffer.alloc(15_000));
    open(signIn, { ...json, 'transfer-encoding': 'chunked' }, Buffer.from(`3a98\r\n${' '.repeat(15_000)}`));
    await delay(25);
  }
  for (const socket of sockets) socket.destroy();
  return sockets.length;
}

const headersOf = ({ cookie }: FloodOrder['accounts'][number], n: number) => ({
  cookie,
  origin: 'http://localhost:3000',
  'x-forwarded-for': `198.18.${(n >> 2) & 255}.${n & 3}`,
});
