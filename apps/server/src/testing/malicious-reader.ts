import { createDirectusClient } from '../content/directus/directus-client.ts';
import { DirectusError } from '../content/directus/directus-error.ts';
import { createOutboundClient } from '../platform/outbound/outbound-client.ts';

// A process whose peak memory is that of a response it reads: asks two content backends for items.

export interface ReadingOrder {
  host: string;
  /** What the first request loads is not of the response of the second. */
  good: string;
  malicious: string;
}

export interface ReadingReport {
  /** The class of failure; null where there were items. */
  failure: string | null;
  /** How far the peak of memory rose, in bytes. */
  growth: number;
}

async function read(host: string, endpoint: string): Promise<string | null> {
  const outbound = createOutboundClient([host]);
  const client = createDirectusClient(outbound, {
    organizationId: 'one',
    endpoint,
    accessToken: 'a-token-of-a-backend',
  });
  try {
    await client.readItems('contacts', { limit: 20 });
    return null;
  } catch (error) {
    if (!(error instanceof DirectusError)) throw error;
    return error.failure;
  } finally {
    await outbound.close();
  }
}

async function report({ host, good, malicious }: ReadingOrder): Promise<void> {
  await read(host, good);
  const before = process.memoryUsage.rss();
  let peak = before;
  // The peak that the system tells is the one of starting the program.
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 2);
  const failure = await read(host, malicious);
  look();
  clearInterval(timer);
  process.send?.({ failure, growth: peak - before } satisfies ReadingReport);
}

process.once('message', (order: ReadingOrder) => void report(order));
