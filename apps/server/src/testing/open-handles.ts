import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What keeps this process running: objects, and the kinds of resources that have none, such as timers. */
export interface OpenHandles {
  objects: ReadonlySet<object>;
  counts: ReadonlyMap<string, number>;
}

/** Sockets and processes take a moment to end after they were closed. */
const settleMs = 3_000;
const checkMs = 20;

/** The kinds of resources that are listed as objects, too. */
const withObject = /Wrap$|^Pipe|^TTY|^Worker|^MessagePort/;

export function listOpenHandles(): OpenHandles {
  // The only way to get the objects, and so their names. Without it, only kinds without objects are compared.
  const { _getActiveHandles: list } = process as unknown as { _getActiveHandles?: () => object[] };
  const kinds = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
  return {
    // The streams of the process open with their first use.
    objects: new Set([process.stdout, process.stderr, ...(list?.call(process) ?? [])]),
    counts: new Map(
      [...kinds].filter(([kind]) => !withObject.test(kind)).map(([kind, all]) => [kind, all.length]),
    ),
  };
}

/** What stays open until the process ends, because several files use it. */
const kept = { objects: new Set<object>(), counts: new Map<string, number>() };

/** Keeps open what this work opens, for all files that this process runs. */
export async function keepOpen<T>(work: () => Promise<T>): Promise<T> {
  const before = listOpenHandles();
  const result = await work();
  const { objects, counts } = listOpenHandles();
  for (const object of objects) if (!before.objects.has(object)) kept.objects.add(object);
  for (const [kind, count] of counts)
    kept.counts.set(kind, (kept.counts.get(kind) ?? 0) + count - (before.counts.get(kind) ?? 0));
  return result;
}

/**
 * Waits until nothing keeps this process running that did not before. Idle connections to
 * PostgreSQL keep nothing running; a test database finds those that are left when it is dropped.
 * @returns the names of what is left
 */
export async function findLeftOpen(before: OpenHandles): Promise<string[]> {
  const until = performance.now() + settleMs;
  for (;;) {
    const left = compare(before, listOpenHandles());
    if (left.length === 0 || performance.now() > until) return left;
    await delay(checkMs, undefined, { ref: false });
  }
}

/** Kinds that come and go by themselves: requests to the file system and to name servers, and steps of the event loop. */
const passing = /^(?:Immediate|TickObject|FSReq|GetAddrInfo|Zlib|CloseReq)/;

function compare(before: OpenHandles, now: OpenHandles): string[] {
  const objects = [...now.objects].filter(
    (object) => !before.objects.has(object) && !kept.objects.has(object),
  );
  const kinds = [...now.counts].flatMap(([kind, count]) => {
    const more = count - Math.max(before.counts.get(kind) ?? 0, kept.counts.get(kind) ?? 0);
    return more > 0 && !passing.test(kind) ? [`${more} × ${kind}`] : [];
  });
  return [...objects.map(nameOf), ...kinds];
}

function nameOf(handle: object): string {
  if (handle instanceof ChildProcess)
    return `process ${handle.pid ?? 'without id'}: ${handle.spawnargs.slice(0, 4).join(' ')}`;
  if (handle instanceof Server) return `server on ${JSON.stringify(handle.address())}`;
  if (handle instanceof Socket)
    return `socket from ${handle.localAddress}:${handle.localPort} to ${handle.remoteAddress}:${handle.remotePort}`;
  return handle.constructor.name;
}
