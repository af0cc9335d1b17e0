import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Pool, type PoolClient, type PoolConfig } from 'pg';

/**
 * Settings that PgBouncer rejects when a connection starts. `migrate.ts` sets the limits on the roles; a pool with other
 * limits sets them at the start of each transaction.
 */
type StartupSettings =
  | 'statement_timeout'
  | 'lock_timeout'
  | 'idle_in_transaction_session_timeout'
  | 'options';

export interface ConnectionPoolOptions extends Omit<PoolConfig, StartupSettings> {
  /**
   * Milliseconds without data after which a connection in use is closed. The network may have lost the database without
   * closing the connection, which TCP detects after 15 minutes. Must exceed the timeout of any statement.
   */
  silenceLimitMs: number;
  /** Called for connection errors, such as a restart of the server. */
  onError: (error: Error) => void;
}

/** Idle time before the first TCP keep-alive probe, in milliseconds. */
const keepAliveInitialDelayMillis = 5_000;

/**
 * A new connection knows no table and has no plan: its first requests take several times as long as later ones. In ten seconds, the
 * default, many people do not click again. Much longer ones are more likely to be lost without notice.
 */
const idleTimeoutMillis = 60_000;

/** A server that no longer responds must not delay shutdown. */
const closeLimitMs = 5_000;

/** The open pools of this process, for metrics. */
export const openPools = new Set<ConnectionPool>();

/**
 * The driver's pool, but `end` resolves only after PostgreSQL has closed every connection. The driver's own `end` resolves
 * once it has requested that, and if PostgreSQL is stopped then, the connections are still reported as broken.
 */
export class ConnectionPool extends Pool {
  /** Name of the pool, as in `application_name`. */
  readonly purpose: string;
  readonly #open = new Set<PoolClient>();

  constructor({ onError, silenceLimitMs, ...options }: ConnectionPoolOptions) {
    super({
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis,
      idleTimeoutMillis,
      // Idle connections keep no process running.
      allowExitOnIdle: true,
      ...options,
    });
    this.purpose = options.application_name?.replace(/^reachout /, '') ?? '';
    openPools.add(this);
    const inUse = new WeakSet<PoolClient>();
    this.on('acquire', (client) => inUse.add(client));
    this.on('release', (_error, client) => inUse.delete(client));
    this.on('error', onError);
    this.on('connect', (client) => {
      this.#open.add(client);
      // A connection lost while in use is reported only here; without a listener, the error would end the process.
      client.on('error', onError);
      const socket = socketOf(client);
      socket.setTimeout(silenceLimitMs).on('timeout', () => {
        const received = socket.bytesRead;
        // If the process was busy for long, a response may have arrived without being read yet.
        setImmediate(() => {
          if (inUse.has(client) && socket.bytesRead === received)
            socket.destroy(new Error('Connection terminated: the database is silent'));
        });
      });
    });
    this.on('remove', (client) => this.#open.delete(client));
  }

  override async end(): Promise<void> {
    openPools.delete(this);
    // The process must not exit before idle connections, too, have been closed.
    for (const client of this.#open) socketOf(client).ref();
    await super.end();
    const signal = AbortSignal.timeout(closeLimitMs);
    while (this.#open.size > 0 && !signal.aborted)
      await once(this, 'remove', { signal }).catch(() => undefined);
  }
}

/** The driver's types do not expose the connection. */
export const socketOf = (client: PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
