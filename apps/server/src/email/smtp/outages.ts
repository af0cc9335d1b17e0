/**
 * Groups connections that were lost between a text and its reply into outages. A mail server that restarts loses all of its
 * connections, however long that takes, so all connections that were open when an outage began belong to it. Only the loss
 * of a connection that was opened later is another outage.
 */
export class Outages {
  #number = 0;
  #since = -Infinity;
  #isOver = true;

  /** Whether the server has replied to a text since the last outage began. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * @param openedAt  `performance.now()` at which the lost connection was opened
   * @returns the number of the outage, and whether it follows another one without a reply in between
   */
  recordLoss(openedAt: number): { number: number; isRepeated: boolean } {
    if (openedAt <= this.#since) return { number: this.#number, isRepeated: false };
    const isRepeated = !this.#isOver;
    this.#number += 1;
    this.#since = performance.now();
    this.#isOver = false;
    return { number: this.#number, isRepeated };
  }

  end(): void {
    this.#isOver = true;
  }
}
