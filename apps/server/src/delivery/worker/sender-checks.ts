import type { SenderPolicies } from '../../email/transports/sender-policy.ts';

export interface SenderChecksOptions {
  policies: SenderPolicies;
  /** Called when a check ended: the sends that waited for it can be loaded. */
  onEnd: () => void;
}

/** Checks sending domains before sends start, beside the look for work: one that gets no answer delays no other send. */
export class SenderChecks {
  readonly #options: SenderChecksOptions;
  /** Ids of domains. */
  readonly #running = new Set<string>();

  constructor(options: SenderChecksOptions) {
    this.#options = options;
  }

  /** Does nothing while a check of the same domain is running. */
  start(organizationId: string, domainId: string): void {
    if (this.#running.has(domainId)) return;
    this.#running.add(domainId);
    void this.#run(organizationId, domainId);
  }

  async #run(organizationId: string, domainId: string): Promise<void> {
    const { policies, onEnd } = this.#options;
    await policies.checkSender?.(organizationId, domainId);
    this.#running.delete(domainId);
    onEnd();
  }
}
