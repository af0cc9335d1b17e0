import type { ComparedSend, EmailComparison } from '@reachout/contract/statistics.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  findComparableSend,
  findPreviousSend,
  listRecentSends,
  type ComparableSend,
} from './comparison.queries.ts';
import type { StatisticsQuery } from './running-counts.queries.ts';
import { getEmailStats, requireStatisticsTarget } from './email-statistics.ts';

/** Almost no events occur later, and the limit bounds the compared time span. */
const maxAgeMs = 30 * 24 * 3_600_000;

/** Maximum number of emails that stand for what is usual for a brand. */
const maxRecent = 5;

/**
 * Compares an email with the previous one, and with the last five of its brand, each with its results at the same age: the age of the newer one, at most 30 days.
 * @returns null for an email that has not been sent to an audience
 * @throws 404
 */
export async function compareEmails(
  trx: Transaction,
  query: StatisticsQuery,
  now: Date,
): Promise<EmailComparison | null> {
  await requireStatisticsTarget(trx, query);
  const current = await findComparableSend(trx, query.touchpointId);
  if (current === undefined) return null;
  const previous = await findPreviousSend(trx, current);
  const ageMs = Math.min(Math.max(now.getTime() - Date.parse(current.send_date), 1), maxAgeMs);
  const count = async ({ send_id: sendId, touchpoint_id: touchpointId, send_date }: ComparableSend) => {
    const start = new Date(send_date);
    const text = `${start.toISOString()}::${new Date(start.getTime() + ageMs).toISOString()}`;
    const where = { organizationId: query.organizationId, touchpointId, sendId };
    return await getEmailStats(trx, where, { text, timeZone: 'UTC', now });
  };
  const read = async (send: ComparableSend): Promise<ComparedSend> => {
    const stats = await count(send);
    return {
      send_id: send.send_id,
      touchpoint: { id: send.touchpoint_id, name: send.touchpoint_name },
      send_date: send.send_date,
      subject: send.subject,
      audience: send.audience,
      recipients: send.recipients,
      delivered: stats.delivered,
      not_measured: stats.not_measured,
      bounced: stats.bounced,
      opened: stats.opened.unique,
      clicked: stats.clicked.unique,
      unsubscribed: stats.unsubscribed,
    };
  };
  const recent = { emails: 0, delivered: 0, not_measured: 0, clicked: 0 };
  for (const send of await listRecentSends(trx, current, maxRecent)) {
    const stats = await count(send);
    recent.emails += 1;
    recent.delivered += stats.delivered;
    recent.not_measured += stats.not_measured;
    recent.clicked += stats.clicked.unique;
  }
  return {
    recent: recent.emails === 0 ? null : recent,
    age_seconds: Math.floor(ageMs / 1_000),
    of_campaign: previous?.campaign_id === current.campaign_id,
    current: await read(current),
    previous: previous === undefined ? null : await read(previous),
  };
}
