import { setTimeout as delay } from 'node:timers/promises';
import { handleImportFiles, handleImports } from './content/imports/import-jobs.ts';
import {
  createMailboxTransport,
  createSystemMailboxTransport,
} from './operations/mailbox/mailbox-transport.ts';
import { handleRetention } from './operations/retention/retention-jobs.ts';
import { createTokenSigner } from './email/links/tokens.ts';
import type { RelayRules } from './email/transports/relay-rules.ts';
import { handleRecipientDomains } from './email/recipient-groups/recipient-domain-jobs.ts';
import { createSmtpPool } from './email/smtp/smtp-pool.ts';
import { composeInvitation } from './identity/invitations/invitation-email.ts';
import { deriveKey, type DatabaseLogins, type SendRates } from './platform/config.ts';
import { connect } from './platform/database/database.ts';
import { connectPipelined } from './platform/database/pipelined.ts';
import { createFileStore } from './platform/files/file-store.ts';
import { createJobMetrics } from './platform/jobs/job-metrics.ts';
import { createJobRunner } from './platform/jobs/job-runner.ts';
import { createLog, type Log } from './platform/log.ts';
import { collectProcessMetrics } from './platform/metrics/process-metrics.ts';
import { byKey, counter, type CollectMetrics } from './platform/metrics/metric.ts';
import { createSecrets } from './platform/secrets.ts';
import type { WorkerHealth } from './platform/worker-health.ts';
import { createWorkerHeartbeat } from './platform/worker-heartbeat.ts';
import { maxPreparing } from './delivery/worker/preparations.ts';
import { SendWorker } from './delivery/worker/send-worker.ts';
import { handleSendChecks } from './delivery/sends/send-check-jobs.ts';
import { handleAccountEmails } from './identity/account-email/account-email-jobs.ts';
import { accountEmails } from './identity/auth/emails/account-emails.ts';

/** How long messages under way and batches get to finish when the worker stops. */
const drainLimitMs = 20_000;

/** To the mail server, beside those of sends: for account email alone. */
const accountConnections = 2;

/** Plain data, so that it can be sent to another process (supervise-worker.ts). */
export interface WorkerOptions {
  logins: DatabaseLogins;
  /** Undefined where the built-in mailbox takes the mail. */
  smtpUrl: string | undefined;
  smtpConnections: number;
  /** Host in the envelope sender of messages. */
  bounceDomain: string;
  /** Undefined where the built-in mailbox takes the mail. */
  relay: RelayRules | undefined;
  publicUrl: string;
  /** The sender of account emails. */
  mailFrom: string;
  secretKey: string;
  previousSecretKeys: string[];
  /** Where uploaded files are, as in the settings. */
  dataDir: string;
  s3Url: string | undefined;
  inFlightLimit: number;
  sendRates: SendRates;
  logLevel: string;
}

export interface RunningWorker {
  health: () => WorkerHealth;
  collectMetrics: CollectMetrics;
  stop: () => Promise<void>;
}

/**
 * Does the work that waits in the database: sends, imports, account email, retention. Any number of
 * workers can run side by side.
 */
export function startWorker(options: WorkerOptions): RunningWorker {
  const log = createLog(options.logLevel).child({ role: 'worker' });
  const pools = connectPools(options.logins, log);
  const { db, authDb, pipelined } = pools;
  const heartbeat = createWorkerHeartbeat(options.logins.appUrl, log, () => {
    sends.wake();
    jobs.wake();
  });
  const signer = createTokenSigner(deriveKey(options.secretKey, 'message tokens'));
  const { smtpUrl, smtpConnections } = options;
  const transport =
    smtpUrl === undefined
      ? createMailboxTransport({ db, signer, log, slots: smtpConnections })
      : createSmtpPool({ url: smtpUrl, connections: smtpConnections });
  // Nobody waits for a sign-in code because sends keep all connections busy.
  const accountPool =
    smtpUrl === undefined ? undefined : createSmtpPool({ url: smtpUrl, connections: accountConnections });
  const sends = new SendWorker({
    db: pools.sendDb,
    prepareDb: pools.prepareDb,
    pipelined,
    log,
    heartbeat,
    transport,
    load: {
      publicUrl: options.publicUrl,
      signer,
      bounceDomain: options.bounceDomain,
      relay: options.relay,
    },
    inFlightLimit: options.inFlightLimit,
    sendRates: options.sendRates,
  });
  const accountEmailJobs = handleAccountEmails({
    db: authDb,
    log,
    transport: accountPool ?? createSystemMailboxTransport(authDb, log),
    compose: { ...accountEmails, invitation: composeInvitation },
    secrets: createSecrets(options.secretKey, options.previousSecretKeys),
    publicUrl: options.publicUrl,
    sender: options.mailFrom,
  });
  const partitionFaults = { refused: 0 };
  const files = createFileStore(options);
  const retention = handleRetention({ db: authDb, log, files, partitionFaults });
  const faults = { stuck: 0, unbalanced: 0 };
  const collectJobMetrics = createJobMetrics(pools.jobsDb);
  const jobs = createJobRunner({
    db: pools.jobsDb,
    log,
    heartbeat,
    handlers: [
      accountEmailJobs,
      handleImports({ db, log }),
      handleImportFiles({ db, log }),
      handleRecipientDomains({ db, log }),
      handleSendChecks({ db, log, faults }),
      retention,
    ],
  });
  const drain = async () => {
    await Promise.all([sends.stop(), jobs.stop()]);
    await Promise.all([transport.close(), accountPool?.close()]);
  };
  return {
    health: () => {
      const lookedAt = Math.min(sends.lastLookAt ?? 0, jobs.lastLookAt ?? 0);
      return {
        has_heartbeat: heartbeat.id !== undefined,
        last_look_at: lookedAt === 0 ? null : new Date(lookedAt).toISOString(),
      };
    },
    collectMetrics: async () => [
      ...sends.collectMetrics(),
      counter(
        'reachout_send_faults_total',
        'What the job send_check found and should never be: sends that were stuck, books that disagree.',
        byKey('fault', faults),
      ),
      counter(
        'reachout_partitions_refused_total',
        'How often the months of a table were not made, because too many rows wait for them.',
        partitionFaults.refused,
      ),
      ...(await collectJobMetrics()),
      ...(await collectProcessMetrics()),
    ],
    stop: async () => {
      // Other workers take over work that hangs longer, as after a crash.
      await Promise.race([drain(), delay(drainLimitMs, undefined, { ref: false })]);
      await heartbeat.close();
      for (const pool of Object.values(pools)) await pool.destroy();
    },
  };
}

/** To the database: a pool for each kind of work, so that none waits for the connections of another. */
function connectPools({ appUrl, authUrl }: DatabaseLogins, log: Log) {
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost');
  return {
    // For what runs many times a second: taking and storing deliveries.
    pipelined: connectPipelined(appUrl, {
      name: 'worker deliveries',
      connections: 4,
      statementTimeoutMs: 10_000,
      onError,
    }),
    // A look for work is quick, and stuck in a connection that is gone it would hold up all sends.
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
