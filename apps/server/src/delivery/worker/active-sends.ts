import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { domainOfAddress } from '../../email/addresses/address.ts';
import { PreparationError } from '../../email/transports/transport.ts';
import { type Database, inOrganization } from '../../platform/database/database.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import { lockSend } from '../../queue/send.queries.ts';
import { setSendStatus } from '../sends/send-status.ts';
import type { ActiveSend } from './active-send.ts';
import type { Batches } from './batches.ts';
import { findPreparation, findSender, rejectWith, type SenderChecks } from './find-sender.ts';
import { loadActiveSend, type LoadOptions } from './load-send.ts';
import type { OpenTransports } from './open-transports.ts';

/** Time between two looks at the sending domain of a send: what is signed a moment later is still signed with a published key. */
const followMs = 2_000;
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
    return this.#sends.get(send.ref.sendId) === send && !send.isOutdated;
  }

  /** @returns undefined if the send is no longer `sending`, while its sending domain is checked, and for one that was paused while its last messages end */
  async load(ref: SendKey): Promise<ActiveSend | undefined> {
    const { db, load, transports, batches, senderChecks } = this.#options;
    const known = this.find(ref.sendId);
    if (known?.isOutdated === true && batches.of(known).length > 0) return undefined;
    const send =
      known === undefined || known.isOutdated
        ? await loadActiveSend(db, { ...load, transports }, ref)
        : known;
    if (send !== undefined && 'unchecked' in send) {
      senderChecks.start(ref.organizationId, send.unchecked);
      return undefined;
    }
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

  /** Sends whose sending domain was not looked at for some time. */
  listUnseen(): ActiveSend[] {
    const before = performance.now() - followMs;
    return [...this.#sends.values()].filter(
      ({ senderSeenAt, isOutdated }) => senderSeenAt !== undefined && senderSeenAt < before && !isOutdated,
    );
  }

  /** Signs with the key that signs now, and pauses the send if its sender may no longer send: nothing leaves unsigned. */
  async followSender(send: ActiveSend): Promise<void> {
    const { db, load, batches } = this.#options;
    const { ref, isTest } = send;
    send.senderSeenAt = performance.now();
    await inOrganization(db, ref.organizationId, async (trx) => {
      const sender = await findSender(load.policies, trx, ref);
      const prepare =
        sender.problem === undefined ? await findPreparation(load.policies, trx, ref, sender) : undefined;
      if (prepare !== undefined) {
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
