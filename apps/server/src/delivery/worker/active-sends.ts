import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { domainOfAddress } from '../../email/addresses/address.ts';
import { PreparationError } from '../../email/transports/transport.ts';
import { type Database, inOrganization } from '../../platform/database/database.ts';
import { postponeSend } from '../../queue/send-failures.queries.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import { lockSend } from '../../queue/send.queries.ts';
import { setSendStatus } from '../sends/send-status.ts';
import type { ActiveSend } from './active-send.ts';
import type { Batches } from './batches.ts';
import { findPreparation, findSender, rejectWith, type SenderChecks } from './find-sender.ts';
import { loadActiveSend, type LoadOptions } from './load-send.ts';
import { transportNameOf, TransportsFull, type OpenTransports } from './open-transports.ts';

/**
 * Time between two looks at the sending domain and the transport of a send: what is signed a moment later is still signed with a
 * published key.
 */
const followMs = 2_000;
/** A send for whose transport there is no room comes back after this time, so that it does not hide other due sends. */
const fullWaitMs = 5_000;
/** Maximum loaded sends; a compiled email has 10 kB to 100 kB. */
const maxActive = 100;

export interface ActiveSendsOptions {
  db: Database;
  load: LoadOptions;
  transports: OpenTransports;
  batches: Batches;
  senderChecks: SenderChecks;
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
    return this.#sends.get(send.ref.sendId) === send && !send.isOutdated && !send.transport.isClosed;
  }

  /** @returns undefined if the send is no longer `sending`, while its sending domain is checked, and for one that was paused while its last messages end */
  async load(ref: SendKey): Promise<ActiveSend | undefined> {
    const { batches, senderChecks } = this.#options;
    const known = this.find(ref.sendId);
    // Those that did nothing meanwhile were not followed.
    if (known !== undefined && !known.isOutdated && isUnseen(known)) await this.followSender(known);
    const isUsable = known !== undefined && !known.isOutdated && !known.transport.isClosed;
    if (known !== undefined && !isUsable && batches.of(known).length > 0) return undefined;
    const send = isUsable ? known : await this.#load(ref);
    if (isUsable) known.transport.usedAt = performance.now();
    if (send !== undefined && 'unchecked' in send) {
      senderChecks.start(ref.organizationId, send.unchecked);
      return undefined;
    }
    for (const lease of known?.unclearLeases ?? []) send?.unclearLeases.add(lease);
    if (send !== undefined) this.#keep(send);
    return send;
  }

  /** @returns undefined also while too many transports are open: the send is due again later */
  async #load(ref: SendKey): ReturnType<typeof loadActiveSend> {
    const { db, load, transports } = this.#options;
    try {
      return await loadActiveSend(db, { ...load, transports }, ref);
    } catch (error) {
      if (!(error instanceof TransportsFull)) throw error;
      await this.#postpone(ref, sendError('mail_server_away', { detail: error.message }));
      return undefined;
    }
  }

  async #postpone({ organizationId, sendId }: SendKey, error: SendError): Promise<void> {
    await inOrganization(this.#options.db, organizationId, async (trx) => {
      if (!sendCan.deliver(await lockSend(trx, sendId))) return;
      // The first lease forgets the failure, and the error with it. No worker has died.
      await postponeSend(trx, sendId, fullWaitMs, { failure_count: 1, worker_deaths: 0, error });
    });
  }

  /** Stops all other sends: they are paused or cancelled, or their organization is suspended. */
  stopAllBut(sending: ReadonlySet<string>): void {
    for (const batch of this.#options.batches)
      if (!sending.has(batch.send.ref.sendId)) batch.isStopping = true;
    for (const id of this.ids) if (!sending.has(id)) this.#sends.delete(id);
  }

  /** Sends in progress, and signed ones, whose sender was not looked at for some time. */
  listUnseen(): ActiveSend[] {
    return [...this.#sends.values()].filter(
      (send) =>
        !send.isOutdated &&
        isUnseen(send) &&
        (send.prepare !== undefined || this.#options.batches.of(send).length > 0),
    );
  }

  /**
   * Signs with the key that signs now, and pauses the send if its sender may no longer send: nothing leaves unsigned. If another
   * transport was chosen, or its settings changed, the send goes on by that one.
   */
  async followSender(send: ActiveSend): Promise<void> {
    const { db, load, batches } = this.#options;
    const { ref, isTest } = send;
    send.senderSeenAt = performance.now();
    await inOrganization(db, ref.organizationId, async (trx) => {
      const sender = await findSender(load.policies, trx, ref);
      if (transportNameOf(sender.policy) !== send.transport.name) {
        for (const batch of batches.of(send)) batch.isStopping = true;
        send.isOutdated = true;
        return;
      }
      const prepare =
        sender.problem === undefined ? await findPreparation(load.policies, trx, ref, sender) : undefined;
      if (prepare !== undefined || (sender.problem === undefined && send.prepare === undefined)) {
        send.prepare = prepare;
        return;
      }
      const error =
        sender.problem ?? sendError('sender_domain_deleted', { domain: domainOfAddress(sender.from) });
      send.prepare = rejectWith(new PreparationError(error));
      // Nobody would resume a test.
      if (isTest) return;
      const locked = await lockSend(trx, ref.sendId);
      if (sendCan.deliver(locked)) await setSendStatus(trx, locked, 'paused', { error });
      for (const batch of batches.of(send)) batch.isStopping = true;
      send.isOutdated = true;
    });
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

const isUnseen = ({ senderSeenAt }: ActiveSend): boolean => performance.now() - senderSeenAt > followMs;
