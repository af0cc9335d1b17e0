import { isDatabaseAway } from '../../platform/database/is-database-away.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveSend } from './active-send.ts';
import type { FailureRecorder } from './failure-recorder.ts';
import { tryRecovered, type RecoveryOptions } from './try-recovered.ts';

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
