import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { type Database, inOrganization } from '../../platform/database/database.ts';
import { isDatabaseAway } from '../../platform/database/is-database-away.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import type { Log } from '../../platform/log.ts';
import { processNow } from '../../platform/process-clock.ts';
import { countTry } from '../../queue/delivery.ts';
import { clearRecovered, listRecovered } from '../../queue/recover-queued.queries.ts';
import { noEffects } from '../../queue/result-statements.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import { getSendContent, lockSend } from '../../queue/send.queries.ts';
import { storeResults } from '../../queue/store-results.queries.ts';
import { recordFailure } from '../sends/change-send.ts';
import type { ActiveSend } from './active-send.ts';
import type { ActiveSends } from './active-sends.ts';
import { buildOnTrial } from './trial-build.ts';

export interface RecoveriesOptions extends RecoveryOptions {
  log: Log;
  failures: FailureRecorder;
  /** Called when the trial builds end: messages that passed are due like any other queued message. */
  onEnd: () => void;
}

/** Runs trial builds of messages that dead workers had in progress, concurrently with other work. */
export class Recoveries {
  readonly #options: RecoveriesOptions;
  readonly #stopping = new AbortController();

  constructor(options: RecoveriesOptions) {
    this.#options = options;
  }

  /** Does nothing while a trial build of the same send is running. */
  start(send: ActiveSend): void {
    if (send.isTrying || this.#stopping.signal.aborted) return;
    send.isTrying = true;
    void this.#run(send);
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #run(send: ActiveSend): Promise<void> {
    const { log, failures, onEnd } = this.#options;
    const { signal } = this.#stopping;
    try {
      await tryRecovered(this.#options, send, signal);
      onEnd();
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error, send: send.ref.sendId }, 'messages of a worker that died could not be tried');
      if (!isDatabaseAway(error)) await failures.record(send.ref);
    } finally {
      send.isTrying = false;
    }
  }
}

interface RecoveryOptions {
  db: Database;
  pipelined: PipelinedDatabase;
}

/** Maximum messages that one dead worker leaves with the default in-flight limit. */
const batchSize = 64;

/**
 * Runs a trial build of the messages that a dead worker had in progress. A message that ends its trial process is failed:
 * it was tried twice, and would also end the next worker.
 * @throws the reason of the signal when the worker stops; the next worker tries the rest
 */
async function tryRecovered(
  { db, pipelined }: RecoveryOptions,
  { ref, startedAt, isTest, hosts }: ActiveSend,
  signal: AbortSignal,
): Promise<void> {
  const { content, messageIdBase, sendNumber } = await inOrganization(
    db,
    ref.organizationId,
    async (trx) => ({
      ...(await getSendContent(trx, ref.sendId)),
      sendNumber: (await lockSend(trx, ref.sendId)).send_number,
    }),
  );
  for (;;) {
    const recipients = await listRecovered(pipelined, ref, batchSize);
    if (recipients.length === 0) return;
    const order = {
      content,
      recipients,
      startedAt: startedAt.toISOString(),
      organizationId: ref.organizationId,
      sendNumber,
      messageIdBase,
      ...hosts,
      isTest,
    };
    const culprits = await buildOnTrial(order, signal);
    const now = processNow();
    const failures = recipients
      .filter(({ seq }) => culprits.includes(seq))
      .map(({ seq, tries }) => ({
        seq,
        tries: countTry(tries, undefined, now),
        reply: null,
        error: sendError('worker_ended_building'),
        at: now.toISOString(),
        result: { kind: 'final', state: 'failed' } as const,
      }));
    if (failures.length > 0) await storeResults(pipelined, ref, failures, noEffects);
    const harmless = recipients.map(({ seq }) => seq).filter((seq) => !culprits.includes(seq));
    await clearRecovered(pipelined, ref, harmless);
  }
}

export interface FailureRecorderOptions {
  db: Database;
  log: Log;
  active: ActiveSends;
}

/** Counts failures of sends, so that one that keeps failing is stopped. */
export class FailureRecorder {
  readonly #options: FailureRecorderOptions;

  constructor(options: FailureRecorderOptions) {
    this.#options = options;
  }

  /** Never rejects. An unreachable database does not count as a failure of the send. */
  async guard(ref: SendKey, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.log.error({ err: error, send: ref.sendId }, 'send could not go on');
      if (!isDatabaseAway(error)) await this.record(ref);
    }
  }

  async record({ organizationId, sendId }: SendKey): Promise<void> {
    const { db, log, active } = this.#options;
    const send = active.find(sendId);
    if (send !== undefined) send.hasLeased = false;
    await inOrganization(db, organizationId, (trx) => recordFailure(trx, sendId)).catch((error: unknown) =>
      log.error({ err: error, send: sendId }, 'failure of a send could not be noted'),
    );
  }
}
