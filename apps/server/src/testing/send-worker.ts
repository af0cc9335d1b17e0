import { after, before } from 'node:test';
import { mailboxPolicies } from './mailbox-policies.ts';
import { createTokenSigner } from '../email/links/tokens.ts';
import type { MailTransport } from '../email/transports/transport.ts';
import type { SenderPolicies } from '../email/transports/sender-policy.ts';
import { createSmtpPool, type SmtpPoolOptions } from '../email/smtp/smtp-pool.ts';
import type { OpenOwn } from '../delivery/worker/open-transports.ts';
import { SendWorker } from '../delivery/worker/send-worker.ts';
import type { SendRates } from '../platform/config.ts';
import { connect, type Database } from '../platform/database/database.ts';
import { connectPipelined, type PipelinedDatabase } from '../platform/database/pipelined.ts';
import { createLog } from '../platform/log.ts';
import { createWorkerHeartbeat } from '../platform/worker-heartbeat.ts';
import { createTestDatabase } from './database.ts';

/** A separate database, with the connections of a send worker and its tests. */
export interface SendDatabase {
  appUrl: string;
  authUrl: string;
  /** Logs in as the owner of the tables. */
  owner: Database;
  app: Database;
  pipelined: PipelinedDatabase;
  close: () => Promise<void>;
}

/** Has the login of sign-in, too. */
interface SuiteDatabase extends SendDatabase {
  ownerUrl: string;
  auth: Database;
}

export async function openSendDatabase(): Promise<SuiteDatabase> {
  const database = await createTestDatabase();
  const pool = { connections: 6, statementTimeoutMs: 60_000, onError: () => undefined };
  const owner = connect(database.ownerUrl, { ...pool, name: 'owner' });
  const app = connect(database.appUrl, { ...pool, name: 'worker' });
  const auth = connect(database.authUrl, { ...pool, name: 'sign-in' });
  const pipelined = connectPipelined(database.appUrl, { ...pool, name: 'worker deliveries' });
  return {
    ownerUrl: database.ownerUrl,
    appUrl: database.appUrl,
    authUrl: database.authUrl,
    owner,
    app,
    auth,
    pipelined,
    close: async () => {
      await owner.destroy();
      await app.destroy();
      await auth.destroy();
      await pipelined.destroy();
      await database.drop();
    },
  };
}

/**
 * Opens a database for the tests of a suite, and closes it after them.
 * @param closeFirst  closes what uses it, such as workers: a later hook would run after the database was closed
 * @returns the database, to be used in hooks and tests
 */
export function useSendDatabase(closeFirst = () => Promise.resolve()): SuiteDatabase {
  const database = {} as SuiteDatabase;
  before(async () => void Object.assign(database, await openSendDatabase()));
  after(async () => {
    await closeFirst();
    await database.close();
  });
  return database;
}

/** Starts a send worker in this process. @param options.db  replaces the default pool `app` */
export function startSendWorker(
  { appUrl, app, pipelined }: SendDatabase,
  {
    inFlightLimit,
    laneWaitsMs,
    renewMs,
    sendRates = {},
    db = app,
    policies = mailboxPolicies,
    others = {},
    openOwn,
    ...smtp
  }: SmtpPoolOptions & {
    inFlightLimit: number;
    laneWaitsMs?: number[];
    renewMs?: number;
    sendRates?: SendRates;
    db?: Database;
    policies?: SenderPolicies;
    /** Further transports that policies may name; the worker closes none of them. */
    others?: Readonly<Record<string, MailTransport>>;
    /** Opens those of organizations. */
    openOwn?: OpenOwn;
  },
): { stop: () => Promise<void> } {
  const log = createLog('silent');
  const transport = createSmtpPool(smtp);
  const heartbeat = createWorkerHeartbeat(appUrl, log, () => worker.wake());
  const worker = new SendWorker({
    db,
    prepareDb: db,
    pipelined,
    log,
    heartbeat,
    transports: { mailbox: transport, ...others },
    openOwn,
    load: {
      signer: createTokenSigner(Buffer.alloc(32, 7)),
      policies,
    },
    inFlightLimit,
    sendRates,
    // Messages that a test makes due are sent at once.
    minQueuedLeaseMs: 0,
    ...(laneWaitsMs === undefined ? {} : { laneWaitsMs }),
    ...(renewMs === undefined ? {} : { renewMs }),
  });
  const stop = async () => {
    await worker.stop();
    await transport.close();
    await heartbeat.close();
  };
  let stopping: Promise<void> | undefined;
  return { stop: () => (stopping ??= stop()) };
}
