import {
  createMailboxTransport,
  createSystemMailboxTransport,
} from './operations/mailbox/mailbox-transport.ts';
import type { TokenSigner } from './email/links/tokens.ts';
import { createSmtpPool } from './email/smtp/smtp-pool.ts';
import type { DatabaseLogins } from './platform/config.ts';
import { connect } from './platform/database/database.ts';
import { connectPipelined } from './platform/database/pipelined.ts';
import type { Log } from './platform/log.ts';
import { maxPreparing } from './delivery/worker/preparations.ts';

/** Connections to the mail server that only account email uses, in addition to those of sends. */
const accountConnections = 2;

export type WorkerPools = ReturnType<typeof connectPools>;

/** Connects one database pool for each kind of work, so that none waits for the connections of another. */
export function connectPools({ appUrl, authUrl }: DatabaseLogins, log: Log) {
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost');
  return {
    // For statements that run many times a second: leasing deliveries and storing results.
    pipelined: connectPipelined(appUrl, {
      name: 'worker deliveries',
      connections: 4,
      statementTimeoutMs: 10_000,
      onError,
    }),
    // The timeout is short because looks for work are quick, and one stuck on a dead connection would block all sends.
    sendDb: connect(appUrl, { name: 'worker sends', connections: 4, statementTimeoutMs: 10_000, onError }),
    prepareDb: connect(appUrl, {
      name: 'worker audiences',
      connections: maxPreparing * 2,
      statementTimeoutMs: 600_000,
      onError,
    }),
    db: connect(appUrl, { name: 'worker', connections: 6, statementTimeoutMs: 60_000, onError }),
    jobsDb: connect(authUrl, { name: 'worker jobs', connections: 2, onError }),
    authDb: connect(authUrl, { name: 'worker sign-in', connections: 3, statementTimeoutMs: 60_000, onError }),
  };
}

export interface TransportOptions {
  /** Undefined if the built-in mailbox receives the mail. */
  smtpUrl: string | undefined;
  smtpConnections: number;
}

/** Opens separate transports for sends and account email, so that sends cannot delay sign-in codes. */
export function openTransports(
  { smtpUrl: url, smtpConnections: connections }: TransportOptions,
  { db, authDb }: Pick<WorkerPools, 'db' | 'authDb'>,
  signer: TokenSigner,
  log: Log,
) {
  if (url === undefined) {
    const ofSends = createMailboxTransport({ db, signer, log, slots: connections });
    const ofAccounts = createSystemMailboxTransport(authDb, log);
    return { ofSends, ofAccounts, close: () => ofSends.close() };
  }
  const ofSends = createSmtpPool({ url, connections });
  const ofAccounts = createSmtpPool({ url, connections: accountConnections });
  return { ofSends, ofAccounts, close: () => Promise.all([ofSends.close(), ofAccounts.close()]) };
}
