/**
 * This many outages are compared. One restart of a mail server is one outage, and says nothing: a send only pauses for what
 * repeats.
 */
const outagesToPause = 6;

/**
 * The last outages of the mail server during a send, with what came of its messages. Counts outages and not messages,
 * because a single restart makes as many messages uncertain as there are connections.
 */
export class RecentOutages {
  readonly #outages: { number: number | undefined; uncertain: number; accepted: number }[] = [];

  /**
   * @param outage  undefined: an outage of this message alone
   * @returns whether the last outages made more messages uncertain than were accepted since they began
   */
  recordUncertain(outage: number | undefined): boolean {
    const known = outage === undefined ? undefined : this.#outages.find(({ number }) => number === outage);
    if (known !== undefined) known.uncertain += 1;
    else this.#outages.push({ number: outage, uncertain: 1, accepted: 0 });
    if (this.#outages.length > outagesToPause) this.#outages.shift();
    if (this.#outages.length < outagesToPause) return false;
    let balance = 0;
    for (const { uncertain, accepted } of this.#outages) balance += uncertain - accepted;
    return balance > 0;
  }

  recordAccepted(): void {
    const last = this.#outages.at(-1);
    if (last !== undefined) last.accepted += 1;
  }

  reset(): void {
    this.#outages.length = 0;
  }
}
