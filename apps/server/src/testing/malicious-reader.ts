import { createDirectusClient } from '../content/directus/directus-client.ts';
import { describeFailure } from '../content/directus/describe-failure.ts';
import { createDirectusFiles } from '../content/directus/directus-files.ts';
import { DirectusError } from '../content/directus/directus-error.ts';
import { newId } from '../platform/ids.ts';
import { createOutboundClient } from '../platform/outbound/outbound-client.ts';

// Runs in a separate process to measure the peak memory of reading one response: requests items or a file from two
// content backends.

export interface ReadingOrder {
  host: string;
  /** Requested first, so that code loaded by the first request does not count for the second. */
  good: string;
  malicious: string;
  kind: 'items' | 'file';
}

export interface ReadingReport {
  /** The class of failure; null when the request succeeded. */
  failure: string | null;
  /** Growth of the peak memory, in bytes. */
  growth: number;
}

async function read({ host, kind }: ReadingOrder, endpoint: string): Promise<string | null> {
  const outbound = createOutboundClient([host]);
  const client = createDirectusClient(outbound, {
    organizationId: 'one',
    endpoint,
    accessToken: 'a-token-of-a-backend',
  });
  try {
    if (kind === 'items') await client.readItems('contacts', { limit: 20 });
    else await createDirectusFiles(client).readFile(newId());
    return null;
  } catch (error) {
    const failure = error instanceof DirectusError ? error.failure : describeFailure(error)?.failure;
    if (failure === undefined) throw error;
    return failure;
  } finally {
    await outbound.close();
  }
}

async function report(order: ReadingOrder): Promise<void> {
  await read(order, order.good);
  const before = process.memoryUsage.rss();
  let peak = before;
  // The peak that the system reports is that of starting the program.
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 2);
  const failure = await read(order, order.malicious);
  look();
  clearInterval(timer);
  process.send?.({ failure, growth: peak - before } satisfies ReadingReport);
}

process.once('message', (order: ReadingOrder) => void report(order));
