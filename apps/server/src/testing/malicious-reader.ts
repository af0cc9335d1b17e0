import { createDirectusClient } from '../content/directus/directus-client.ts';
import { describeFailure } from '../content/directus/describe-failure.ts';
import { createDirectusFiles } from '../content/directus/directus-files.ts';
import { DirectusError } from '../content/directus/directus-error.ts';
import { newId } from '../platform/ids.ts';
import { createOutboundClient } from '../platform/outbound/outbound-client.ts';

// Runs in a separate process to measure the peak memory of reading responses: requests items and files, first from a good
// content backend, then from malicious ones.

type Kind = 'items' | 'file';

export interface ReadingOrder {
  host: string;
  /** Requested first, so that code loaded by the first request does not count. */
  good: string;
  readings: { at: string; kind: Kind }[];
}

export interface ReadingReport {
  /** The class of failure; null when the request succeeded. */
  failure: string | null;
  /** Growth of the peak memory since the good responses, in bytes. */
  growth: number;
}

async function read(host: string, endpoint: string, kind: Kind): Promise<string | null> {
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

async function report({ host, good, readings }: ReadingOrder): Promise<void> {
  for (const kind of ['items', 'file'] as const) await read(host, good, kind);
  const before = process.memoryUsage.rss();
  let peak = before;
  // The peak that the system reports is that of starting the program.
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 2);
  const reports: ReadingReport[] = [];
  for (const { at, kind } of readings) {
    const failure = await read(host, at, kind);
    look();
    reports.push({ failure, growth: peak - before });
  }
  clearInterval(timer);
  process.send?.(reports);
}

process.once('message', (order: ReadingOrder) => void report(order));
