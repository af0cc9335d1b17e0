import type { Database } from '../../platform/database/database.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import type { ActiveSend } from './active-send.ts';
import type { Batches } from './batches.ts';
import { loadActiveSend, type LoadOptions } from './load-send.ts';
import type { OpenTransports } from './open-transports.ts';

/** Maximum loaded sends; a compiled email has 10 kB to 100 kB. */
const maxActive = 100;

export interface ActiveSendsOptions {
  db: Database;
  load: LoadOptions;
  transports: OpenTransports;
  batches: Batches;
}

/** The sends that the worker has loaded. Those without batches are evicted above `maxActive`, to limit memory. */
export class ActiveSends {
  readonly #options: ActiveSendsOptions;
  /** By id, the most recently used last. */
  readonly #sends = new Map<string, ActiveSend>();

  constructor(options: ActiveSendsOptions) {
    this.#options = options;
  }

  get ids(): string[] {
    return [...this.#sends.keys()];
  }

  find(id: string): ActiveSend | undefined {
    return this.#sends.get(id);
  }

  has(send: ActiveSend): boolean {
    return this.#sends.get(send.ref.sendId) === send && !send.isOutdated;
  }

  /** @returns undefined if the send is no longer `sending`, and for one that was paused while its last messages end */
  async load(ref: SendKey): Promise<ActiveSend | undefined> {
    const { db, load, transports, batches } = this.#options;
    const known = this.find(ref.sendId);
    if (known?.isOutdated === true && batches.of(known).length > 0) return undefined;
    const send =
      known === undefined || known.isOutdated
        ? await loadActiveSend(db, { ...load, transports }, ref)
        : known;
    for (const lease of known?.unclearLeases ?? []) send?.unclearLeases.add(lease);
    if (send !== undefined) this.#keep(send);
    return send;
  }

  /** Stops all other sends: they are paused or cancelled, or their organization is suspended. */
  stopAllBut(sending: ReadonlySet<string>): void {
    for (const batch of this.#options.batches)
      if (!sending.has(batch.send.ref.sendId)) batch.isStopping = true;
    for (const id of this.ids) if (!sending.has(id)) this.#sends.delete(id);
  }

  #keep(send: ActiveSend): void {
    this.#sends.delete(send.ref.sendId);
    this.#sends.set(send.ref.sendId, send);
    if (this.#sends.size <= maxActive) return;
    for (const [id, other] of this.#sends) {
      if (this.#options.batches.of(other).length > 0) continue;
      this.#sends.delete(id);
      return;
    }
  }
}
