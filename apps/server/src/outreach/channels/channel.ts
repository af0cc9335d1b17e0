import type { SendKind } from '@reachout/contract/states/send.ts';
import type { EventType } from '@reachout/contract/statuses.ts';
import type { Review } from '@reachout/contract/touchpoints.ts';
import type { BrandKit } from '../../clients/brands/brand-kit.ts';
import type { Audience } from '../../contacts/audiences/audience.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import type { EmailSnapshot } from '../../email/email-content.ts';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { TouchpointRow } from '../touchpoints/touchpoint.ts';

/** Settings of the installation that checks and sends need. */
export type MailSetup = Pick<ReviewOptions, 'policies' | 'publicUrl' | 'content'>;

/**
 * The differences between types of touchpoints. Code outside `channels/` reads them from `channels` and refers to no
 * type by name.
 */
export interface Channel {
  /** Stores the channel's own data of a new touchpoint, in addition to its row in `touchpoints`. */
  create: (trx: Transaction, touchpoint: TouchpointRow) => Promise<void>;
  /** Copies that data to a touchpoint that was just created, without any results of the original. */
  copy: (trx: Transaction, from: TouchpointRow, to: TouchpointRow) => Promise<void>;
  /** Removes what refers to content items: the touchpoint has another collection now. */
  releaseItems: (trx: Transaction, touchpointId: string) => Promise<void>;
  /** Checks a touchpoint before it goes live; null for a channel whose touchpoints cannot go live yet. */
  review: ((touchpointId: string, options: ReviewOptions) => Promise<ReviewedTouchpoint>) | null;
  /** Finds the usable audience of a touchpoint; null for a channel without audiences. */
  findAudience:
    | ((trx: Transaction, touchpointId: string, publicUrl: string) => Promise<ChannelAudience>)
    | null;
  /** The events that statistics of its touchpoints count; what others can react to is in `touchpointEventTypes` of the contract. */
  countedEvents: readonly EventType[];
}

export interface ChannelAudience {
  /** Undefined until one is chosen that can be used. */
  audience: Audience | undefined;
  /** False if its contacts are outside the access scope of the caller. */
  showsContacts: boolean;
  /** The brand, whose quiet hours apply. */
  brand: BrandKit;
}

export interface ReviewOptions {
  userId: string;
  /** Checks take long, so no transaction is open while they compile. */
  transaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  policies: SenderPolicies;
  /** Of this installation, without a slash at the end. */
  publicUrl: string;
  /** For remote contacts. */
  content: DirectusDeps;
  /** Replaces the content item that the touchpoint has. */
  itemId?: string | undefined;
  /** Only a campaign needs an audience. */
  kind: Exclude<SendKind, 'follow_up'>;
  /**
   * `nothing` if the user may not read contacts: counts of an audience reveal data of contacts. Empty merge tags take
   * time to count, and never block a send.
   */
  counts: 'nothing' | 'recipients' | 'recipients_and_tags';
}

export interface ReviewedTouchpoint {
  touchpoint: TouchpointRow;
  review: Review;
  /** The content, topic and audience that a confirmed send stores; undefined while a check blocks. */
  message:
    | { content: EmailSnapshot; itemId: string | null; topicId: string | null; audience: Audience | null }
    | undefined;
  /** Whether everything reviewed is unchanged. */
  isCurrent: (trx: Transaction) => Promise<boolean>;
}
