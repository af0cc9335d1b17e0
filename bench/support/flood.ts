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

serveParent({ flood, ask });

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

const headersOf = ({ cookie }: FloodOrder['accounts'][number], n: number) => ({
  cookie,
  origin: 'http://localhost:3000',
  'x-forwarded-for': `198.18.${(n >> 2) & 255}.${n & 3}`,
});
