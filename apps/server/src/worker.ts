import { setTimeout as delay } from 'node:timers/promises';
import { handleFieldRemovals } from './content/built-in/field-removal-jobs.ts';
import { handleMirrorChecks } from './clients/outbox/mirror-jobs.ts';
import { handleReadingRemovals, handleReadings } from './contacts/audiences/reading-jobs.ts';
import { handleDirectusImports } from './contacts/imports/directus-import-jobs.ts';
import { handleImportFiles, handleImports } from './contacts/imports/import-jobs.ts';
import { handleSearchIndex } from './content/built-in/search-index-jobs.ts';
import { handleSuppressionLifts } from './contacts/consent/lift-suppressions.ts';
import { handleMirror, type MirrorCounts } from './content/mirror/mirror-changes.ts';
import type { CheckDeps } from './outreach/domains/check-domain.ts';
import { handleDomainChecks } from './outreach/domains/domain-check-jobs.ts';
import type { DomainInstallation } from './outreach/domains/domain-setup-of.ts';
import { openForSends, type OwnTransportDeps } from './outreach/transports/own-transports.ts';
import { handleProviderSuppressions } from './outreach/transports/suppression-jobs.ts';
import { createSigningPolicies } from './outreach/domains/sender-signing.ts';
import { composeDataRequestConfirmation } from './operations/data-requests/confirmation-email.ts';
import { handleDataRequests } from './operations/data-requests/data-request-jobs.ts';
import { handleRetention } from './operations/retention/retention-jobs.ts';
import type { SendActivity } from './contacts/imports/import-pace.ts';
import type { ImportProcessOptions } from './import-main.ts';
import { answerDemoDomain } from './operations/demo/demo-domains.ts';
import { createCheckRunner, type CheckRunner } from './email/domains/run-check.ts';
import { createTokenSigner, type TokenSigner } from './email/links/tokens.ts';
import type { InstallationPolicy, SenderPolicies } from './email/transports/sender-policy.ts';
import type { OpenOptions } from './email/transports/own-transport.ts';
import type { MailTransport } from './email/transports/transport.ts';
import { handleRecipientDomains } from './email/recipient-groups/recipient-domain-jobs.ts';
import { deleteConfirmationEmails } from './identity/account-email/account-email.queries.ts';
import { composeSignUpConfirmation } from './contacts/sign-ups/confirmation-email.ts';
import { handleSignUpContacts } from './contacts/sign-ups/contact-jobs.ts';
import { composeInvitation } from './identity/invitations/invitation-email.ts';
import type { DatabaseLogins, SendRates } from './platform/config.ts';
import { transactionAs, type Database } from './platform/database/database.ts';
import { deriveKey } from './platform/secret-key.ts';
import { createFileStore } from './platform/files/file-store.ts';
import { createJobMetrics } from './platform/jobs/job-metrics.ts';
import type { JobHandler } from './platform/jobs/job-kind.ts';
import { runInProcess, type JobProcess } from './platform/jobs/job-process.ts';
import { createJobRunner } from './platform/jobs/job-runner.ts';
import { createLog, type Log } from './platform/log.ts';
import { collectProcessMetrics } from './platform/metrics/process-metrics.ts';
import { byKey, counter, type CollectMetrics } from './platform/metrics/metric.ts';
import {
  briefLimits,
  createOutboundClient,
  handoverLimits,
  type OutboundLimits,
} from './platform/outbound/outbound-client.ts';
import { createSecrets, type Secrets } from './platform/secrets.ts';
import type { WorkerHealth } from './platform/worker-health.ts';
import { createWorkerHeartbeat } from './platform/worker-heartbeat.ts';
import {
  collectReturnedMail,
  startReturnedMailReader,
} from './delivery/returned-mail/returned-mail-reader.ts';
import { startBeginnings } from './delivery/graph/begin-reactions.ts';
import {
  collectReactions,
  startReactionRelease,
  type ReleaseDeps,
} from './delivery/graph/release-reactions.ts';
import { SendWorker } from './delivery/worker/send-worker.ts';
import { causeSignUp } from './events/sign-up-causes.ts';
import { handleHints } from './events/erase-hints.ts';
import { eraseVisitorOfContact } from './insight/conversions/erase-conversions.ts';
import { unsubscribe } from './insight/preferences/preferences.ts';
import { createSentMessages } from './insight/tracking/sent-messages.ts';
import { readingSends } from './delivery/sends/reading-sends.ts';
import { handleSendChecks } from './delivery/sends/send-check-jobs.ts';
import { handleAccountEmails } from './identity/account-email/account-email-jobs.ts';
import { accountEmails } from './identity/auth/emails/account-emails.ts';
import {
  connectPools,
  openTransports,
  type TransportOptions,
  type WorkerPools,
} from './worker-connections.ts';

/** Time that messages in progress and jobs get to finish when the worker stops. */
const drainLimitMs = 3_000;
/** Interval at which the import process is told whether emails are being sent. */
const informMs = 100;

/** Plain data, so that it can be sent to another process (supervise-worker.ts). */
export interface WorkerOptions extends TransportOptions {
  logins: DatabaseLogins;
  /** Of every organization. */
  policy: InstallationPolicy;
  publicUrl: string;
  /** The sender of account emails. */
  mailFrom: string;
  secretKey: string;
  previousSecretKeys: string[];
  /** Hosts of private networks that requests may be sent to, as in the settings. */
  privateHosts: string[];
  /** Where providers of transports are asked; tests have their own. */
  endpoints?: OpenOptions['endpoints'];
  /** What checks of sending domains need, as in the settings. */
  domains: DomainInstallation & {
    dnsServers: string[];
    /** Whether the domains of the demo have records. */
    hasDemo?: boolean;
  };
  /** Where uploaded files are stored, as in the settings. */
  dataDir: string;
  s3Url: string | undefined;
  inFlightLimit: number;
  sendRates: SendRates;
  logLevel: string;
}

export interface RunningWorker {
  health: () => WorkerHealth;
  /** Whether it has stored a result of a message or finished a job since it was started. */
  hasAchieved: () => boolean;
  collectMetrics: CollectMetrics;
  stop: () => Promise<void>;
}

/**
 * Processes the work queued in the database: sends, imports, account email, retention. Any number of
 * workers can run concurrently. Imports run in a child process.
 * @param policiesOfTest  name the transport of `options.policy`
 */
export function startWorker(
  options: WorkerOptions,
  policiesOfTest?: SenderPolicies,
  logOfTest?: Log,
): RunningWorker {
  const log = (logOfTest ?? createLog(options.logLevel)).child({ role: 'worker' });
  const { policy, inFlightLimit, sendRates, endpoints } = options;
  const pools = connectPools(options.logins, log);
  const heartbeat = createWorkerHeartbeat(options.logins.appUrl, log, () => {
    sends.wake();
    jobs.wake();
  });
  const signer = signerOf(options);
  const clients = openClients(options.privateHosts);
  const { outbound } = clients;
  const secrets = createSecrets(options.secretKey, options.previousSecretKeys);
  const checks = { installation: options.domains, outbound };
  // Of its own: sends do not wait behind the checks that are due.
  const runCheck = runnerOf(options.domains);
  const signing = { ...checks, db: pools.db, secrets, log, runCheck };
  const policies = policiesOfTest ?? createSigningPolicies(policy, signing);
  const transports = openTransports(options, pools, signer, log);
  const ofTransports = {
    db: pools.db,
    secrets,
    outbound: clients.ofHandovers,
    log,
    endpoints,
  };
  const sends = new SendWorker({
    db: pools.sendDb,
    prepareDb: pools.prepareDb,
    pipelined: pools.pipelined,
    log,
    heartbeat,
    transports: { [policy.transport]: transports.ofSends },
    openOwn: (organizationId, chosen) => openForSends(ofTransports, organizationId, chosen),
    load: { signer, policies },
    inFlightLimit,
    sendRates,
  });
  const faults = {
    sends: { stuck: 0, unbalanced: 0 },
    partitions: { refused: 0 },
    copies: { written: 0, rejected: 0, failed: 0 },
  };
  const readers = startReaders(options, pools, {
    ...ofTransports,
    outbound: clients.ofReports,
    signer,
    policies,
    content: { outbound, secrets },
  });
  const imports = startImportProcess(options, { db: pools.db, secrets }, log);
  const informing = setInterval(
    () => imports.inform({ isSending: sends.isSending } satisfies SendActivity),
    informMs,
  );
  const inThisProcess = createHandlers(options, { ...pools, ...checks, secrets }, transports.ofAccounts, {
    log,
    ofTransports,
    faults,
    isSending: () => sends.isSending,
  });
  const handlers = [imports.handler, ...inThisProcess];
  const jobs = createJobRunner({ db: pools.jobsDb, log, heartbeat, handlers });
  const collectJobMetrics = createJobMetrics(pools.jobsDb);
  const drain = async () => {
    clearInterval(informing);
    await Promise.all([sends.stop(), jobs.stop(), readers.stop()]);
    await Promise.all([imports.stop(), transports.close(), clients.close()]);
  };
  return {
    health: () => healthOf(heartbeat.id !== undefined, [sends, jobs]),
    hasAchieved: () => sends.resultCount + jobs.finishedCount > 0,
    collectMetrics: async () => [
      ...sends.collectMetrics(),
      ...collectReturnedMail(),
      ...collectReactions(),
      ...metricsOf(faults),
      ...(await collectJobMetrics()),
      ...(await collectProcessMetrics()),
    ],
    stop: async () => {
      const late = delay(drainLimitMs, 'late' as const, { ref: false });
      if ((await Promise.race([drain(), late])) === 'late') {
        // Other workers, or the next start, recover messages that take longer, as after a crash. For jobs it is no death.
        await jobs
          .giveBack()
          .catch((error: unknown) => log.warn({ err: error }, 'jobs cannot be given back'));
        await heartbeat.close();
        // Connections that are in use are closed with the process.
        for (const pool of Object.values(pools)) pool.destroy().catch(() => undefined);
        return;
      }
      await heartbeat.close();
      for (const pool of Object.values(pools)) await pool.destroy();
    },
  };
}

/** Clients for requests that may take differently long. */
function openClients(privateHosts: readonly string[]) {
  const open = (limits?: OutboundLimits) => createOutboundClient(privateHosts, limits);
  const clients = { outbound: open(), ofReports: open(briefLimits), ofHandovers: open(handoverLimits) };
  const close = () => Promise.all(Object.values(clients).map((client) => client.close()));
  return { ...clients, close };
}

function healthOf(hasHeartbeat: boolean, looks: readonly { lastLookAt: number | undefined }[]): WorkerHealth {
  const lookedAt = Math.min(...looks.map(({ lastLookAt = 0 }) => lastLookAt));
  return {
    has_heartbeat: hasHeartbeat,
    last_look_at: lookedAt === 0 ? null : new Date(lookedAt).toISOString(),
  };
}

/** What looks for itself for what to do, beside sends and jobs: returned mail, reactions and what begins with a person. */
function startReaders(
  { publicUrl }: WorkerOptions,
  { db }: Pick<WorkerPools, 'db'>,
  deps: Omit<ReleaseDeps, 'db'> & OwnTransportDeps & { signer: TokenSigner },
): { stop: () => Promise<unknown> } {
  const { signer } = deps;
  const returnedMail = startReturnedMailReader({
    ...deps,
    db,
    unsubscribe: unsubscribeByToken(db, signer, publicUrl),
  });
  const graph = [startReactionRelease({ ...deps, db }), startBeginnings({ ...deps, db })];
  return { stop: () => Promise.all([returnedMail.close(), ...graph.map((each) => each.stop())]) };
}

const signerOf = ({ secretKey, previousSecretKeys }: WorkerOptions): TokenSigner => {
  const keyOf = (secret: string) => deriveKey(secret, 'message tokens');
  return createTokenSigner(keyOf(secretKey), previousSecretKeys.map(keyOf));
};

/** Of mail to the address of List-Unsubscribe, of whose sender nothing is kept. */
function unsubscribeByToken(db: Database, signer: TokenSigner, publicUrl: string) {
  const messages = createSentMessages({ db, signer, publicUrl });
  return async (token: string): Promise<void> => {
    const message = await messages.find('unsubscribe', token);
    const client = { userAgent: null, ipPrefix: null };
    if (message !== undefined) await unsubscribe(db, message, client);
  };
}

const runnerOf = ({ dnsServers, hasDemo }: WorkerOptions['domains']): CheckRunner =>
  createCheckRunner(dnsServers, {}, hasDemo ? answerDemoDomain : undefined);

/** Counts of faults that jobs found, and of results of copies, since the worker started. */
interface Faults {
  sends: Record<'stuck' | 'unbalanced', number>;
  partitions: { refused: number };
  copies: MirrorCounts;
}

/** Starts a separate process for imports, because reading a file keeps a core busy and this process sends. */
function startImportProcess(
  { logins, logLevel, secretKey, previousSecretKeys }: WorkerOptions,
  { db, secrets }: Pick<WorkerPools, 'db'> & { secrets: Secrets },
  log: Log,
): JobProcess {
  const options: ImportProcessOptions = { appUrl: logins.appUrl, logLevel, secretKey, previousSecretKeys };
  return runInProcess(
    handleImports({ db, log, secrets }),
    new URL('./import-main.ts', import.meta.url),
    options,
  );
}

/** The jobs of all modules that run in this process. */
const createHandlers = (
  options: WorkerOptions,
  {
    db,
    authDb,
    outbound,
    installation,
    secrets,
  }: WorkerPools & Omit<CheckDeps, 'runCheck'> & { secrets: Secrets },
  transport: Pick<MailTransport, 'send'>,
  {
    log,
    faults,
    isSending,
    ofTransports,
  }: { log: Log; faults: Faults; isSending: () => boolean; ofTransports: OwnTransportDeps },
): JobHandler[] => [
  handleAccountEmails({
    db: authDb,
    log,
    transport,
    compose: {
      ...accountEmails,
      invitation: composeInvitation,
      confirm_data_request: composeDataRequestConfirmation,
      confirm_subscription: composeSignUpConfirmation,
    },
    secrets,
    publicUrl: options.publicUrl,
    sender: options.mailFrom,
  }),
  handleDataRequests({
    db,
    outbound,
    secrets,
    eraseEmails: (organizationId, addressKey) =>
      transactionAs(authDb, {}, (trx) => deleteConfirmationEmails(trx, organizationId, addressKey)),
  }),
  handleDirectusImports({ db, log, outbound, secrets }),
  handleDomainChecks({
    db,
    log,
    outbound,
    installation,
    runCheck: runnerOf(options.domains),
  }),
  handleFieldRemovals({ db }),
  handleHints({ db, eraseVisitorOfContact }),
  handleImportFiles({ db }),
  handleMirror({ db, outbound, secrets, counts: faults.copies }),
  handleMirrorChecks({ db }),
  handleReadings({ db, outbound, secrets, sends: readingSends }),
  handleReadingRemovals({ db }),
  handleRecipientDomains({ db, log }),
  handleSendChecks({ db, log, faults: faults.sends }),
  handleSearchIndex({ db, log, isSending }),
  handleSignUpContacts({ db, outbound, secrets, onWritten: causeSignUp }),
  handleProviderSuppressions(ofTransports),
  handleSuppressionLifts({ db }),
  handleRetention({ db: authDb, log, files: createFileStore(options), partitionFaults: faults.partitions }),
];

const metricsOf = ({ sends, partitions, copies }: Faults) => [
  counter(
    'reachout_send_faults_total',
    'What the job send_check found and should never be: sends that were stuck, books that disagree.',
    byKey('fault', sends),
  ),
  counter(
    'reachout_partitions_refused_total',
    'How often the months of a table were not made, because too many rows wait for them.',
    partitions.refused,
  ),
  counter(
    'reachout_copies_total',
    'Records that were written to content backends, that these did not take, and that found none to take them.',
    byKey('result', copies),
  ),
];
