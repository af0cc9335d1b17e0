import { sendError } from '@reachout/contract/rules/send-errors.ts';
import type { SendStatus } from '@reachout/contract/states/send.ts';
import type { SuppressionReason } from '@reachout/contract/statuses.ts';
import type { EmailSnapshot } from '../../email/email-content.ts';
import type { MessageEvent } from '../../events/event.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId, newIdAt } from '../../platform/ids.ts';
import type { Random } from '../../platform/random.ts';
import { insertRows } from '../../sample/rows.ts';
import { buildPlayedSend } from '../../sample/sends.ts';
import type { DemoBrands, PlacedEmail } from './compile-emails.ts';
import type { FollowedLink } from './invent-visits.ts';
import type { Place } from './make-records.ts';
import { isTracked, type Person } from './people.ts';
import type { Fate, PlannedEmail } from './plan-emails.ts';
import { drawAppeal, playComplaints, playReactions, toEvent } from './play-reactions.ts';
import { playSend, type OptOuts, type PlayedSend } from './play-send.ts';
import { topicOf, type TopicIds } from './store-topics.ts';

export interface History {
  brands: DemoBrands;
  topics: TopicIds;
  emails: readonly PlannedEmail[];
  people: readonly Person[];
  random: Random;
}

/** A confirmed send can be undone for a minute. */
const undoMs = 60_000;

const sendStatuses = {
  sent: 'completed',
  running: 'sending',
  paused: 'paused',
} as const satisfies Partial<Record<Fate, SendStatus>>;

/** Simulates and stores the send of an email. @returns its events, and what people clicked */
export async function storeSend(
  trx: Transaction,
  { story, organizationId, userId, now }: Place,
  { brands, topics, people, random }: History,
  { email, content, optOuts }: { email: PlacedEmail; content: EmailSnapshot; optOuts: OptOuts },
): Promise<{ events: MessageEvent[]; links: FollowedLink[] }> {
  if (email.fate === 'draft' || email.fate === 'scheduled' || email.fate === 'on_request')
    return { events: [], links: [] };
  const { kit, audience, audienceName } = brands[email.brand];
  const played = playSend(email, people, optOuts, now, random);
  const confirmedAt = new Date(email.at.getTime() - undoMs);
  const id = newIdAt(confirmedAt);
  const startsAt = email.at.toISOString();
  const endedAt = played.endedAt?.toISOString() ?? null;
  await buildPlayedSend(trx, {
    id,
    touchpoint_id: email.touchpointId,
    topic_id: topicOf(story, topics, email),
    status: sendStatuses[email.fate],
    send_date: startsAt,
    end_date: endedAt,
    next_due_at: email.fate === 'running' ? nextDueAt(played) : null,
    error: email.fate === 'paused' ? JSON.stringify(rejectionOf(kit.from_email)) : null,
    audience_breakdown: JSON.stringify(played.breakdown),
    recipients_confirmed_count: played.recipients.length,
    user_created: userId,
    created_at: confirmedAt.toISOString(),
    updated_at: endedAt ?? startsAt,
    content: {
      content: JSON.stringify(content),
      audience: JSON.stringify({ ...audience, topicId: topicOf(story, topics, email) }),
      audience_name: audienceName,
      confirmed_at: confirmedAt.toISOString(),
    },
    ...toRecipients(played, email, content),
    results: played.results,
  });
  const key = { organizationId, touchpointId: email.touchpointId, sendId: id };
  const appeal = drawAppeal(now.getTime() - email.at.getTime(), random);
  const reactions = played.results.flatMap((result) =>
    playReactions(result, played.recipients[result.seq - 1]!, email, { appeal, now, random }),
  );
  reactions.push(...playComplaints(email, reactions, now));
  const events = reactions.map((reaction) => toEvent(key, reaction));
  await suppress(trx, { brandId: kit.id, email, played, events, optOuts });
  const links = events.flatMap((event, index): FollowedLink[] =>
    event.isBot || reactions[index]!.isDisguised || event.linkNo === null
      ? []
      : [{ ...event, linkNo: event.linkNo, person: played.recipients[event.seq - 1]! }],
  );
  return { events, links };
}

const rejectionOf = (sender: string) =>
  sendError('sender_rejected', { reply: `550 5.7.1 <${sender}>: Sender address rejected: not authorized` });

/** @returns when the first deferred message is due */
const nextDueAt = ({ results }: PlayedSend): string | null =>
  results.flatMap(({ result }) => (result.kind === 'deferred' ? [result.dueAt] : [])).toSorted()[0] ?? null;

function toRecipients({ recipients, excluded }: PlayedSend, { brand }: PlannedEmail, content: EmailSnapshot) {
  const fields = content.contact_fields;
  const variablesOf = ({ data }: Person) =>
    fields === null ? data : Object.fromEntries(fields.map((field) => [field, data[field] ?? null]));
  return {
    recipients: recipients.map((person) => ({
      contact_id: person.id,
      address: person.data.email,
      variables: variablesOf(person),
      tracked: isTracked(person, brand),
    })),
    exclusions: excluded.map(({ person, reason }) => ({
      contact_id: person.id,
      address: person.data.email,
      reason,
    })),
  };
}

interface Reacted {
  brandId: string;
  email: PlacedEmail;
  played: PlayedSend;
  events: readonly MessageEvent[];
  optOuts: OptOuts;
}

/** Why an address gets no more email after such an event. */
const reasons: Partial<Record<MessageEvent['type'], SuppressionReason>> = {
  BOUNCE: 'bounce',
  COMPLAINT: 'complaint',
  UNSUBSCRIBE: 'unsubscribe',
};

/** Suppresses nonexistent addresses and people who complained for all brands, and unsubscribed people for this brand. */
async function suppress(
  trx: Transaction,
  { brandId, email, played, events, optOuts }: Reacted,
): Promise<void> {
  const { suppressed, unsubscribed } = optOuts;
  const ofBrand = unsubscribed.get(email.brand) ?? new Map<Person, Date>();
  unsubscribed.set(email.brand, ofBrand);
  const hard = new Set(
    played.results.flatMap((result) => (result.class === 'address_hard' ? [result.seq] : [])),
  );
  const ending = events.flatMap(({ type, seq, at, organizationId, sendId }) => {
    const value = type === 'BOUNCE' && !hard.has(seq) ? undefined : reasons[type];
    if (value === undefined) return [];
    const isOfBrand = value === 'unsubscribe';
    const person = played.recipients[seq - 1]!;
    const ended = isOfBrand ? ofBrand : suppressed;
    if (ended.has(person)) return [];
    ended.set(person, at);
    return [
      {
        id: newId(),
        organization_id: organizationId,
        brand_id: isOfBrand ? brandId : null,
        address_key: person.data.email,
        kind: 'suppression' as const,
        value,
        send_id: sendId,
        seq,
        changed_at: at.toISOString(),
      },
    ];
  });
  await insertRows(trx, 'choices', ending);
}
