import type { UncertainPolicy, RecipientGroup } from '@reachout/contract/statuses.ts';
import type { EmailRenderer } from '../../email/mime/email-renderer.ts';
import type { OutgoingMessage } from '../../email/transports/transport.ts';
import type { Recipient } from '../queue/delivery.ts';
import type { SendKey } from '../queue/send-statements.ts';
import type { Lane } from './lane.ts';
import type { RateBucket } from './rate-bucket.ts';
import type { SendHealth } from './send-health.ts';

/** A send that this worker works on: what its messages have in common. */
export interface ActiveSend {
  ref: SendKey;
  touchpointId: string;
  /** Counted nowhere. */
  isTest: boolean;
  /** Its messages come one by one, and go before those of others. */
  isSingle: boolean;
  renderer: EmailRenderer;
  /** Date of every message from an audience, the same at each attempt, so that receivers can recognize a repeat. */
  startedAt: Date;
  uncertainPolicy: UncertainPolicy;
  health: SendHealth;
  /** Before that, its failures and dead workers still count. */
  hasLeased: boolean;
  /** What was asked for without a response: it may be ours, and nobody else takes it before its lease ends. */
  unclearLeases: Set<'queued' | 'chunk'>;
  /** Lanes of which it had no free chunk when the worker asked; forgotten when all of its chunks are looked at again. */
  emptyLanes: Set<Lane>;
  /** Where a free chunk of a lane is looked for: those before it are done, or were somebody's at the last look at all. */
  nextSeqs: Map<RecipientGroup, number>;
  /** `performance.now()` of the last look at all chunks. */
  lookedAtAllAt: number;
  /** `performance.now()` of the last look for queued messages. */
  askedForQueuedAt: number;
  /** Messages that a dead worker had under way are being built on trial. */
  isTrying: boolean;
  /** Pausing itself is under way. */
  isPausing: boolean;
  /** The lane whose back-off the screen shows. */
  backedOffLane: Lane | undefined;
  /** Messages a minute that the operator allows its organization; null: as many as any. */
  ownRate: number | null;
  /** That of its sender, while a plan limits its messages a day. */
  warmUpDomain: string | undefined;
  /** Those of each recipient group, filled by Rates. */
  rateBuckets: Map<RecipientGroup, RateBucket[]>;
  /** The screen is about to say which limit is reached. */
  limitNote: NodeJS.Timeout | undefined;
  /** Of so many next messages the processor time is measured, since one took long to build by the clock. */
  buildsToMeasure: number;
  /** Above 0 when one of the last messages took long to build by its processor time. */
  slowness: number;
}

/** Builds the message of one recipient. @throws RenderError */
export function buildMessage(
  send: Pick<ActiveSend, 'renderer' | 'startedAt'>,
  recipient: Recipient,
): OutgoingMessage {
  return send.renderer.build(
    {
      seq: recipient.seq,
      contactId: recipient.contact_id,
      address: recipient.address,
      variables: recipient.variables,
    },
    typeof recipient.created_at === 'string' ? new Date(recipient.created_at) : send.startedAt,
  );
}
