import { Breaker } from './breaker.ts';

/** The breaker of a transport: also opens when a mail server takes texts and loses its connections, again and again. */
export class TransportBreaker extends Breaker {
  /** The last outage of which no end was seen. */
  #outage: number | undefined;

  /**
   * @param outage  outage that made a message uncertain
   * @returns whether the breaker opens: at the second outage in a row, because a server that restarted is back at once
   */
  recordUncertain(outage: number | undefined): boolean {
    if (outage === undefined || outage === this.#outage) return false;
    const isRepeated = this.#outage !== undefined;
    this.#outage = outage;
    return isRepeated && this.open();
  }

  override close(): void {
    super.close();
    this.#outage = undefined;
  }
}
