import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Pool, type PoolClient, type PoolConfig } from 'pg';

/**
 * Settings that PgBouncer rejects when a connection starts. `migrate.ts` sets the limits for the role; a pool with others sets
 * them at the start of each transaction.
 */
type StartupSettings =
  | 'statement_timeout'
  | 'lock_timeout'
  | 'idle_in_transaction_session_timeout'
  | 'options';

export interface ConnectionPoolOptions extends Omit<PoolConfig, StartupSettings> {
  /**
   * A connection in use that is silent for longer is closed: the database may be gone without a word, behind a network that
   * lost it, and TCP notices that after a quarter of an hour. Longer than any statement may take; milliseconds.
   */
  silenceLimitMs: number;
  /** Called for faults of idle connections, such as a restart of the server. */
  onError: (error: Error) => void;
}

/** An idle connection is asked for a sign of life after this, in milliseconds. */
const keepAliveInitialDelayMillis = 5_000;

/** A server that no longer responds must not hold up a stop. */
const closeLimitMs = 5_000;

/** Of this process, for those who want to know how busy they are. */
export const openPools = new Set<ConnectionPool>();

/**
 * The driver's pool, whose `end` resolves once PostgreSQL has closed every connection. The driver's own resolves when
 * it has asked for that, and a PostgreSQL that is stopped then still reports the connections as broken.
 */
export class ConnectionPool extends Pool {
  /** As the database shows it. */
  readonly purpose: string;
  readonly #open = new Set<PoolClient>();

  constructor({ onError, silenceLimitMs, ...options }: ConnectionPoolOptions) {
    super({ connectionTimeoutMillis: 5_000, keepAlive: true, keepAliveInitialDelayMillis, ...options });
    this.purpose = options.application_name?.replace(/^reachout /, '') ?? '';
    openPools.add(this);
    const inUse = new WeakSet<PoolClient>();
    this.on('acquire', (client) => inUse.add(client));
    this.on('release', (_error, client) => inUse.delete(client));
    this.on('error', onError);
    this.on('connect', (client) => {
      this.#open.add(client);
      // A connection that is lost while it is in use is reported here only; unheard, it would end the process.
      client.on('error', onError);
      const socket = socketOf(client);
      socket.setTimeout(silenceLimitMs).on('timeout', () => {
        const received = socket.bytesRead;
        // In a process that was busy for long, an answer may be there and not read yet.
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
    await super.end();
    const signal = AbortSignal.timeout(closeLimitMs);
    while (this.#open.size > 0 && !signal.aborted)
      await once(this, 'remove', { signal }).catch(() => undefined);
  }
}

/** The driver's types leave its connection out. */
export const socketOf = (client: PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
