import { randomInt } from 'node:crypto';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from './log.ts';

/** First key of the advisory locks that mark workers as alive; the second key is the worker's id. */
const lockSpace = 1_919_247_220;
const channel = 'reachout_work';
const reconnectMs = 1_000;
/** Interval and timeout of lock checks: a connection, and the lock with it, can be lost silently. */
const defaultCheckMs = 5_000;

export interface WorkerHeartbeat {
  /** Identifies this worker in leases. Undefined while the connection is lost; nothing may be leased then. */
  readonly id: number | undefined;
  close: () => Promise<void>;
}

/**
 * Holds an advisory lock while this process is alive. PostgreSQL releases it as soon as the process dies, so that other
 * workers take over its leases immediately instead of waiting until they expire. After a lost connection the worker gets
 * a new id, because the leases of the old one may have been taken over.
 * @param appUrl logs in as `reachout_app`; a direct connection, since the lock belongs to the session
 * @param onNotify  called when there is work, and after each reconnection
 * @param checkMs  interval of the lock checks, and timeout of each check
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

/** @throws Error after `ms`, once data received meanwhile has been read: a worker may be busy for seconds */
async function silence(ms: number): Promise<never> {
  await delay(ms, undefined, { ref: false });
  await immediate();
  throw new Error('The database is silent.');
}
