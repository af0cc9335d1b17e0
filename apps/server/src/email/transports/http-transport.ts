import { Outages } from '../smtp/outages.ts';
import { checkEnvelope } from '../smtp/smtp-message.ts';
import { notSent, unsent, withdrawn } from './handover.ts';
import { TransportCheckError } from './own-transport.ts';
import { toWords } from './provider-words.ts';
import { TextSlots, type ReleaseSlot } from './text-slots.ts';
import type {
  Handover,
  MailTransport,
  OutgoingMessage,
  TransportResult,
  TransportUsage,
} from './transport.ts';

/** A provider that takes each message by one request. What its functions throw is told by whether the request had left. */
export interface MailProvider {
  /**
   * @param mayLeave  has to be asked right before the first byte of the request is written (`OutboundRequest.mayLeave`)
   * @returns the result that the response stands for
   */
  submit: (message: OutgoingMessage, mayLeave: () => boolean) => Promise<TransportResult>;
  /** Asks the provider for a message that it may have taken since then. @returns its reference; undefined if it is not found */
  findAccepted?: (message: OutgoingMessage, since: Date) => Promise<{ reference: string } | undefined>;
  evidenceMs: number;
  /** Never shown. */
  secret: string | null;
}

/** Wait for a slot that holds no unsettled result. */
const slotMs = 30_000;

/**
 * Hands messages over by HTTP requests, at most `connections` at a time and as many without a settled result. After a request that left
 * without a usable response, the next ones leave one at a time until there is one: a provider that fails makes few messages uncertain.
 */
export const createHttpTransport = (provider: MailProvider, connections: number): MailTransport =>
  new HttpTransport(provider, connections);

class HttpTransport implements MailTransport {
  readonly capacity: number;
  readonly evidenceMs: number;
  readonly hasOneLane = true;
  readonly #provider: MailProvider;
  readonly #slots: TextSlots;
  readonly #outages = new Outages();
  /** The request that finds out whether the outage is over. */
  #probe: Promise<unknown> | undefined;
  readonly #underWay = new Set<Promise<Handover>>();
  /** Ends the waits for a slot. */
  readonly #waiting = new Set<() => void>();
  #open = 0;
  #isClosing = false;

  constructor(provider: MailProvider, connections: number) {
    this.#provider = provider;
    this.#slots = new TextSlots(connections);
    this.capacity = 2 * connections;
    this.evidenceMs = provider.evidenceMs;
  }

  get usage(): TransportUsage {
    const { count: slots, inUse: slotsInUse, heldLong: slotsHeldLong } = this.#slots;
    return { connections: this.#open, slots, slotsInUse, slotsHeldLong };
  }

  async send(message: OutgoingMessage): Promise<Handover> {
    if (this.#isClosing) return notSent('The transport is closed.');
    const problem = checkEnvelope(message);
    if (problem !== undefined) return unsent(problem);
    const handover = this.#handOver(message);
    this.#underWay.add(handover);
    return await handover.finally(() => this.#underWay.delete(handover));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const endWait of this.#waiting) endWait();
    await Promise.all(this.#underWay);
  }

  async #handOver(message: OutgoingMessage): Promise<Handover> {
    const release = await this.#takeSlot();
    if (release === undefined)
      return this.#isClosing
        ? notSent('The transport is closing.')
        : unsent({
            outcome: 'withdrawn',
            reason: 'No text may leave before results of earlier messages are settled.',
          });
    const result = await this.#inTurn(message);
    if (result.outcome !== 'not_sent' && result.outcome !== 'withdrawn') return { result, settle: release };
    release();
    return unsent(result);
  }

  #takeSlot(): Promise<ReleaseSlot | undefined> {
    return new Promise((resolve) => {
      const end = (release?: ReleaseSlot) => {
        clearTimeout(timer);
        this.#waiting.delete(giveUp);
        resolve(release);
      };
      const giveUp = () => {
        this.#slots.cancel(end);
        end();
      };
      const timer = setTimeout(giveUp, slotMs);
      this.#waiting.add(giveUp);
      this.#slots.request(end);
    });
  }

  async #inTurn(message: OutgoingMessage): Promise<TransportResult> {
    while (!this.#outages.isOver && this.#probe !== undefined) {
      await this.#probe;
      if (!this.#outages.isOver)
        return { outcome: 'not_sent', reason: 'The provider does not answer requests for now.' };
    }
    const attempt = this.#attempt(message);
    if (this.#outages.isOver) return await attempt;
    this.#probe = attempt;
    return await attempt.finally(() => {
      this.#probe = undefined;
    });
  }

  /** Never rejects. */
  async #attempt(message: OutgoingMessage): Promise<TransportResult> {
    let leftAt: number | undefined;
    let isWithdrawn = message.mayLeave?.() === false;
    if (isWithdrawn) return withdrawn;
    this.#open += 1;
    try {
      const known = message.repeat === undefined ? undefined : await this.#findOut(message, message.repeat);
      if (known !== undefined) return known;
      const result = await this.#provider.submit(message, () => {
        isWithdrawn = message.mayLeave?.() === false;
        if (!isWithdrawn) leftAt = performance.now();
        return !isWithdrawn;
      });
      if (result.outcome === 'uncertain') return this.#lose(result, leftAt ?? performance.now());
      this.#outages.end();
      return result;
    } catch (error) {
      if (isWithdrawn) return withdrawn;
      const reason = toWords(error instanceof Error ? error.message : String(error), [this.#provider.secret]);
      return leftAt === undefined
        ? { outcome: 'not_sent', reason }
        : this.#lose({ outcome: 'uncertain', reason }, leftAt);
    } finally {
      this.#open -= 1;
    }
  }

  /** @returns undefined if the message is to be sent */
  async #findOut(
    message: OutgoingMessage,
    { mayRepeat, since }: { mayRepeat: boolean; since: Date },
  ): Promise<TransportResult | undefined> {
    const accepted = await this.#provider.findAccepted?.(message, since).catch((error: unknown) => {
      // A log without this send has no message of it.
      if (error instanceof TransportCheckError && !error.isOfAccount) return undefined;
      throw error;
    });
    if (accepted !== undefined) return { outcome: 'accepted', ...accepted };
    if (mayRepeat) return undefined;
    return {
      outcome: 'uncertain',
      reason: 'The provider has not said whether it took the message.',
      isUnsent: true,
    };
  }

  #lose(result: TransportResult & { outcome: 'uncertain' }, leftAt: number): TransportResult {
    return { ...result, outage: this.#outages.recordLoss(leftAt).number };
  }
}
