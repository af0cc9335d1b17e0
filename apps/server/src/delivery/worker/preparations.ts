import type { Database } from '../../platform/database/database.ts';
import { isDatabaseAway, isStatementTimeout } from '../../platform/database/is-database-away.ts';
import type { Log } from '../../platform/log.ts';
import { wantRecipientGroups } from '../../email/recipient-groups/recipient-domain-jobs.ts';
import type { RelayRules } from '../../email/transports/relay-rules.ts';
import type { SendKey } from '../queue/send-statements.ts';
import { awaitingContacts, prepareSend } from './prepare-send.ts';

/** Each keeps a processor of the database busy, for minutes at worst; so one organization prepares one send at a time. */
export const maxPreparing = 2;
/** Another worker prepares it: until then its place is for others. */
const leaveAloneMs = 3_000;

export interface PreparationsOptions {
  /** For audience snapshots, which take seconds to minutes. */
  db: Database;
  relay: RelayRules | undefined;
  log: Log;
  /** For a reason of ours that is none of the database's being away. */
  onFailure: (ref: SendKey) => Promise<void>;
  /** One is over, however it ended. */
  onEnd: () => void;
}

/** Prepares due sends beside everything else: storing a million recipients takes seconds, in which other sends go on. */
export class Preparations {
  readonly #options: PreparationsOptions;
  /** Organizations of which a send is being prepared. */
  readonly #organizations = new Set<string>();
  /** `performance.now()` since when a send is left alone, by its id. */
  readonly #leftAlone = new Map<string, number>();

  constructor(options: PreparationsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#organizations.size;
  }

  /** How many due sends are worth a look: more than there are places, because some of them are under way. */
  get room(): number {
    this.#forget();
    return this.size >= maxPreparing ? 0 : maxPreparing + this.#leftAlone.size;
  }

  /** Does nothing while the places are taken: the send is found again. */
  begin(ref: SendKey): void {
    this.#forget();
    if (this.#organizations.has(ref.organizationId) || this.size >= maxPreparing) return;
    if (this.#leftAlone.has(ref.sendId)) return;
    this.#organizations.add(ref.organizationId);
    void this.#prepare(ref);
  }

  #forget(): void {
    const now = performance.now();
    for (const [id, since] of this.#leftAlone) if (now - since >= leaveAloneMs) this.#leftAlone.delete(id);
  }

  async #prepare(ref: SendKey): Promise<void> {
    const { db, relay, log, onFailure, onEnd } = this.#options;
    try {
      const prepared = await prepareSend(db, relay, ref);
      if (prepared === awaitingContacts) return;
      if (prepared === undefined) this.#leftAlone.set(ref.sendId, performance.now());
      // The built-in mailbox keeps all mail on this machine: nobody is asked about it.
      else if (relay !== undefined) await this.#lookUp(prepared.unknownDomains);
    } catch (error) {
      log.error({ err: error, send: ref.sendId }, 'send could not be prepared');
      if (!isDatabaseAway(error) || isStatementTimeout(error)) await onFailure(ref);
    } finally {
      this.#organizations.delete(ref.organizationId);
      onEnd();
    }
  }

  /** For the next send: this one does not wait for it. */
  async #lookUp(domains: string[]): Promise<void> {
    const { db, log } = this.#options;
    await wantRecipientGroups({ db, log }, domains).catch((error: unknown) =>
      log.warn({ err: error }, 'domains of recipients could not be noted'),
    );
  }
}
