import type { Database } from '../../platform/database/database.ts';
import { isDatabaseAway, isStatementTimeout } from '../../platform/database/is-database-away.ts';
import type { Log } from '../../platform/log.ts';
import { wantRecipientGroups } from '../../email/recipient-groups/recipient-domain-jobs.ts';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import { awaitingContacts, prepareSend } from './prepare-send.ts';

/** Each keeps a CPU of the database busy, for minutes at worst, so an organization prepares one send at a time. */
export const maxPreparing = 2;
/** A send that another worker is preparing is skipped for this time, so that its place is free for others. */
const leaveAloneMs = 3_000;

export interface PreparationsOptions {
  /** For audience snapshots, which take seconds to minutes. */
  db: Database;
  policies: SenderPolicies;
  log: Log;
  /** Called when a preparation failed for another reason than an unreachable database. */
  onFailure: (ref: SendKey) => Promise<void>;
  /** Called when a preparation ended, successfully or not. */
  onEnd: () => void;
}

/** Prepares due sends concurrently: storing a million recipients takes seconds, during which other sends continue. */
export class Preparations {
  readonly #options: PreparationsOptions;
  /** Organizations with a send that is being prepared. */
  readonly #organizations = new Set<string>();
  /** `performance.now()` since when a send is skipped, by its id. */
  readonly #leftAlone = new Map<string, number>();

  /** The organization of the last one that was begun. */
  preparedFor: string | undefined;

  constructor(options: PreparationsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#organizations.size;
  }

  /** Number of due sends to look for: more than the free places, because skipped sends may be among them. */
  get room(): number {
    this.#forget();
    return this.size >= maxPreparing ? 0 : maxPreparing + this.#leftAlone.size;
  }

  /** Does nothing while no place is free: the send will be found again. */
  begin(ref: SendKey): void {
    this.#forget();
    if (this.#organizations.has(ref.organizationId) || this.size >= maxPreparing) return;
    if (this.#leftAlone.has(ref.sendId)) return;
    this.#organizations.add(ref.organizationId);
    this.preparedFor = ref.organizationId;
    void this.#prepare(ref);
  }

  #forget(): void {
    const now = performance.now();
    for (const [id, since] of this.#leftAlone) if (now - since >= leaveAloneMs) this.#leftAlone.delete(id);
  }

  async #prepare(ref: SendKey): Promise<void> {
    const { db, policies, log, onFailure, onEnd } = this.#options;
    try {
      const prepared = await prepareSend(db, policies, ref);
      if (prepared === awaitingContacts) return;
      if (prepared === undefined) this.#leftAlone.set(ref.sendId, performance.now());
      else await this.#lookUp(prepared.unknownDomains);
    } catch (error) {
      log.error({ err: error, send: ref.sendId }, 'send could not be prepared');
      if (!isDatabaseAway(error) || isStatementTimeout(error)) await onFailure(ref);
    } finally {
      this.#organizations.delete(ref.organizationId);
      onEnd();
    }
  }

  /** Used by the next send: this one does not wait for the lookup. */
  async #lookUp(domains: string[]): Promise<void> {
    const { db, log } = this.#options;
    await wantRecipientGroups({ db, log }, domains).catch((error: unknown) =>
      log.warn({ err: error }, 'domains of recipients could not be noted'),
    );
  }
}
