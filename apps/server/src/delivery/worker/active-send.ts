import type { RecipientGroup, UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { EmailRenderer } from '../../email/mime/email-renderer.ts';
import type { ChosenTransport, MessageHosts } from '../../email/transports/sender-policy.ts';
import type { OutgoingMessage, PrepareMessage } from '../../email/transports/transport.ts';
import type { Recipient } from '../../queue/delivery.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import type { Lane } from './lane.ts';
import type { OpenTransport } from './open-transports.ts';
import type { RateBucket } from './rate-bucket.ts';
import type { SendHealth } from './send-health.ts';

/** A send that this worker is processing: what its messages have in common. */
export interface ActiveSend {
  ref: SendKey;
  touchpointId: string;
  /** Whether it is a test, which is counted nowhere. */
  isTest: boolean;
  /** Whether it sends single messages, which start before those of other sends. */
  isSingle: boolean;
  renderer: EmailRenderer;
  /** The same in all messages, unless it takes single ones. */
  hosts: MessageHosts;
  transport: OpenTransport;
  /** Undefined if its transport is that of the installation. */
  own: ChosenTransport | undefined;
  /** Index of the transport among those of the send. */
  transportNo: number;
  /** As its transport says. */
  evidenceMs: number | undefined;
  /** Undefined if messages leave as they are built. */
  prepare: PrepareMessage | undefined;
  /** `performance.now()` of the last look at its sending domain and transport, which may change while it goes on. */
  senderSeenAt: number;
  /** Date of every message from an audience, the same at each attempt, so that receivers can recognize a repeat. */
  startedAt: Date;
  uncertainPolicy: UncertainPolicy;
  health: SendHealth;
  /** Whether a try to lease its messages ended without an error, which resets the counts of failures and dead workers. */
  hasLeased: boolean;
  /** Leases requested without a response: this worker may hold them, and no other one takes them before they expire. */
  unclearLeases: Set<'queued' | 'chunk'>;
  /** Lanes without a free chunk when the worker last asked; cleared before all chunks are searched again. */
  emptyLanes: Set<Lane>;
  /** Seq from which to search for a free chunk, by lane: earlier chunks are done, or were leased at the last full search. */
  nextSeqs: Map<RecipientGroup, number>;
  /** `performance.now()` of the last search of all chunks. */
  lookedAtAllAt: number;
  /** `performance.now()` of the last search for queued messages. */
  askedForQueuedAt: number;
  /** Whether a trial build runs for messages that a dead worker had in progress. */
  isTrying: boolean;
  /** Whether the worker is pausing the send because of errors. */
  isPausing: boolean;
  /** Whether it has been paused: when it goes on, it is loaded again, since a user may have changed what stopped it. */
  isOutdated: boolean;
  /** The lane whose back-off the send shows as its error. */
  backedOffLane: Lane | undefined;
  /** Messages a minute that the operator set for its organization; null: the common limit applies. */
  ownRate: number | null;
  /** Domain of the sender, if a warm-up plan limits its messages a day. */
  warmUpDomain: string | undefined;
  /** Buckets by recipient group, filled by Rates. */
  rateBuckets: Map<RecipientGroup, RateBucket[]>;
  /** Timer that records the reached limit on the send. */
  limitNote: NodeJS.Timeout | undefined;
  /** Number of next messages whose CPU time is measured, because one took long to build by the clock. */
  buildsToMeasure: number;
  /** Above 0 if one of the last messages took much CPU time to build. */
  slowness: number;
}

/** Builds the message of one recipient. @throws RenderError */
export const buildMessage = (
  send: Pick<ActiveSend, 'renderer' | 'startedAt'>,
  recipient: Recipient,
): OutgoingMessage =>
  send.renderer.build(
    {
      seq: recipient.seq,
      contactId: recipient.contact_id,
      address: recipient.address,
      variables: recipient.variables,
      tracked: recipient.tracked,
    },
    typeof recipient.created_at === 'string' ? new Date(recipient.created_at) : send.startedAt,
  );
