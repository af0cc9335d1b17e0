import { describeSendError } from '@reachout/contract/rules/send-errors.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { splitBrand, type BrandColumns } from '../../clients/brands/brand.ts';

/** Delay of "Send now", so that it can be undone. */
export const undoMs = 60_000;

/** A send as the queries return it. Queued messages have no counter; they are computed as the rest. */
export interface SendRow
  extends
    Omit<Send, 'error_content' | 'recipients_queued_count' | 'pace' | 'touchpoint' | 'campaign' | 'brand'>,
    BrandColumns {
  touchpoint_name: string;
  campaign_id: string;
  campaign_name: string;
}

/** A send with its counters, without the pace, which is only tracked for sends that users view. */
export type CountedSend = Omit<Send, 'pace'>;

export function toSend(full: SendRow): CountedSend {
  const [brand, { touchpoint_name, campaign_id, campaign_name, ...row }] = splitBrand(full);
  return {
    ...row,
    error_content: row.error && describeSendError(row.error),
    recipients_queued_count: row.recipients_total_count - countAccounted(row),
    touchpoint: { id: row.touchpoint_id, name: touchpoint_name },
    campaign: { id: campaign_id, name: campaign_name },
    brand,
  };
}

type Counters = Pick<
  SendRow,
  | 'recipients_total_sent_count'
  | 'recipients_total_delivery_failed_count'
  | 'recipients_total_failed_count'
  | 'recipients_suppressed_count'
  | 'recipients_skipped_count'
  | 'recipients_cancelled_count'
  | 'recipients_uncertain_count'
>;

const countAccounted = (counters: Counters): number =>
  counters.recipients_total_sent_count +
  counters.recipients_total_delivery_failed_count +
  counters.recipients_total_failed_count +
  counters.recipients_suppressed_count +
  counters.recipients_skipped_count +
  counters.recipients_cancelled_count +
  counters.recipients_uncertain_count;
