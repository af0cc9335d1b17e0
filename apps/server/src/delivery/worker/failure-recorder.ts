import { inOrganization, type Database } from '../../platform/database/database.ts';
import { isDatabaseAway } from '../../platform/database/is-database-away.ts';
import type { Log } from '../../platform/log.ts';
import { recordFailure } from '../sends/change-send.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import type { ActiveSends } from './active-sends.ts';

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
