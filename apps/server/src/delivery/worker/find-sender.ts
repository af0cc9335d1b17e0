import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import {
  findSenderProblem,
  type SenderPolicies,
  type SenderPolicy,
} from '../../email/transports/sender-policy.ts';
import { PreparationError, type PrepareMessage } from '../../email/transports/transport.ts';
import { findCampaignOf } from '../../outreach/touchpoints/find-touchpoint.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import { getSender } from '../../queue/send.queries.ts';

export interface FoundSender {
  from: string;
  policy: SenderPolicy;
  /** Why nothing may be sent; undefined if it may. */
  problem: SendError | undefined;
}

/** Finds the sender address of a send, and the policy of its campaign as it is now. */
export async function findSender(
  policies: SenderPolicies,
  trx: Transaction,
  { organizationId, sendId }: SendKey,
): Promise<FoundSender> {
  const { brand_id: brandId, touchpoint_id, from_email: from } = await getSender(trx, sendId);
  const campaignId = await findCampaignOf(trx, touchpoint_id);
  const policy = await policies.of(trx, { organizationId, brandId, campaignId });
  return { from, policy, problem: findSenderProblem(from, policy) };
}

/** @returns undefined if messages leave as they are built; what rejects each of them if the policy lets none leave */
export async function findPreparation(
  policies: SenderPolicies,
  trx: Transaction,
  { organizationId }: SendKey,
  { from, policy }: FoundSender,
): Promise<PrepareMessage | undefined> {
  try {
    return await policies.preparationOf?.(trx, organizationId, from, policy);
  } catch (error) {
    return rejectWith(error);
  }
}

/** @returns what rejects each message with this PreparationError @throws another error */
export function rejectWith(reason: unknown): PrepareMessage {
  if (!(reason instanceof PreparationError)) throw reason;
  return () => Promise.reject(reason);
}

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
