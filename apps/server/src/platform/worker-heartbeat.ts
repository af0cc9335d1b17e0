import { randomInt } from 'node:crypto';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from './log.ts';

/** The first number of the advisory locks by which workers show that they live; the second is the worker's id. */
const lockSpace = 1_919_247_220;
const channel = 'reachout_work';
const reconnectMs = 1_000;
/** A connection can be gone without a word, and the lock with it: it is asked for, and has as long to answer. */
const defaultCheckMs = 5_000;

export interface WorkerHeartbeat {
  /** Marks what this worker has leased. Undefined while the connection is lost: nothing may be leased then. */
  readonly id: number | undefined;
  close: () => Promise<void>;
}

/**
 * Holds an advisory lock for as long as this process lives. PostgreSQL releases it the moment the process dies, so
 * others take over its leases at once instead of waiting for their end; a lost connection gives a new id, because the
 * old one's leases may be taken over by then.
 * @param appUrl logs in as `reachout_app`; a direct connection, since the lock belongs to the session
 * @param onNotify  called when there is work, and after each reconnection
 * @param checkMs  how often the lock is checked, and how long the answer may take
 */
export function createWorkerHeartbeat(
  appUrl: string,
  log: Log,
  onNotify: () => void,
  checkMs = defaultCheckMs,
): WorkerHeartbeat {
  let id: number | undefined;
  let client: Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function open(): Promise<void> {
    retry = undefined;
    const next = new Client({
      connectionString: appUrl,
      application_name: 'reachout worker lock',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    next.on('error', () => handleDisconnect(next));
    next.on('end', () => handleDisconnect(next));
    next.on('notification', onNotify);
    client = next;
    try {
      await next.connect();
      const candidate = randomInt(1, 2 ** 31 - 1);
      const { rows } = await next.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [
        lockSpace,
        candidate,
      ]);
      await next.query(`listen ${channel}`);
      if (rows[0]?.held !== true) throw new Error('The worker id is taken.');
      id = candidate;
      onNotify();
    } catch (error) {
      log.warn({ err: error }, 'worker cannot reach the database');
      handleDisconnect(next);
    }
  }

  async function check(): Promise<void> {
    const checked = client;
    if (checked === undefined || id === undefined) return;
    try {
      const answer = checked.query(
        `select from pg_locks where locktype = 'advisory' and granted and pid = pg_backend_pid()
          and classid = $1 and objid::bigint = $2`,
        [lockSpace, id],
      );
      const { rowCount } = await Promise.race([answer, silence(checkMs)]);
      if (rowCount === 0) throw new Error('The lock of this worker is gone.');
    } catch (error) {
      log.warn({ err: error }, 'worker lost its lock');
      handleDisconnect(checked);
    }
  }

  function handleDisconnect(disconnected: Client): void {
    if (client !== disconnected) return;
    client = undefined;
    id = undefined;
    void disconnected.end().catch(() => undefined);
    if (!isClosed) retry ??= setTimeout(() => void open(), reconnectMs);
  }

  void open();
  const checks = setInterval(() => void check(), checkMs);
  return {
    get id() {
      return id;
    },
    close: async () => {
      isClosed = true;
      clearInterval(checks);
      clearTimeout(retry);
      const last = client;
      client = undefined;
      id = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}

/** @throws Error after `ms`, and after what has arrived meanwhile was read: a worker may be busy for seconds */
async function silence(ms: number): Promise<never> {
  await delay(ms, undefined, { ref: false });
  await immediate();
  throw new Error('The database is silent.');
}
