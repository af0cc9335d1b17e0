import { createTransport } from 'nodemailer';
import { serveParent, runQueueSeconds } from './child-process.ts';
import type { DkimKey } from './send-bench.ts';

// The baseline, in its own process: a bare nodemailer pool that sends finished messages, without rendering, tracking,
// counting and a database.

export interface FinishedMessage {
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
}

export interface PoolOrder {
  port: number;
  connections: number;
  /** Number of messages to send; the finished messages are used round robin. */
  count: number;
  messages: FinishedMessage[];
  /** With which it signs; undefined if it does not. */
  dkim?: DkimKey | undefined;
}

export interface PoolReport {
  seconds: number;
  cpuSeconds: number;
  /** Share of the time that its threads waited for a CPU. */
  queueShare: number;
}

serveParent({ send });

async function send(order: PoolOrder): Promise<PoolReport> {
  const pool = createTransport({
    host: '127.0.0.1',
    port: order.port,
    ignoreTLS: true,
    pool: true,
    maxConnections: order.connections,
    maxMessages: Number.POSITIVE_INFINITY,
    ...(order.dkim === undefined ? {} : { dkim: toOptions(order.dkim) }),
  });
  // Connections and compiled code are warm before the measurement starts, an advantage over the other side.
  await sendAll(pool, order, Math.min(1_000, order.count), 'warm');
  const cpu = process.cpuUsage();
  const queued = runQueueSeconds(process.pid);
  const start = performance.now();
  await sendAll(pool, order, order.count, 'user');
  const seconds = (performance.now() - start) / 1000;
  const used = process.cpuUsage(cpu);
  pool.close();
  const queueShare = (runQueueSeconds(process.pid) - queued) / seconds;
  return { seconds, cpuSeconds: (used.user + used.system) / 1e6, queueShare };
}

const toOptions = ({ domain, selector, privateKey }: DkimKey) => ({
  domainName: domain,
  keySelector: selector,
  privateKey,
});

async function sendAll(
  pool: ReturnType<typeof createTransport>,
  { connections, messages }: PoolOrder,
  count: number,
  name: string,
): Promise<void> {
  let next = 0;
  async function sendSome(): Promise<void> {
    while (next < count) {
      next += 1;
      const to = `${name}${next}@sink.example`;
      await pool.sendMail({
        from: '"Nordwind" <news@nordwind.example>',
        to,
        ...messages[next % messages.length]!,
      });
    }
  }
  // Two sends per connection, so that no connection waits for the next message to be built.
  await Promise.all(Array.from({ length: connections * 2 }, sendSome));
}
