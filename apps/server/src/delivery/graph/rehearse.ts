import type { Rehearsal } from '@reachout/contract/event-graph.ts';
import { maxRecords } from '@reachout/contract/operation.ts';
import { maxReactionsOfContact, type ReactionReason } from '@reachout/contract/rules/event-graph.ts';
import { validateAudience } from '../../contacts/audiences/count-audience.ts';
import {
  findContactsAudience,
  findEndpoint,
  UnusableAudience,
} from '../../contacts/audiences/find-audience.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { findTouchpointNames } from '../../outreach/touchpoints/find-touchpoint.ts';
import { listEvents } from './event-graph.queries.ts';
import { findQuietHours, type FindQuietEnd } from './quiet-ends.ts';
import { listFollowing, listJudged, listPastReactions, type RehearsedReaction } from './rehearse.queries.ts';

/** Events of the past that a rehearsal reads. */
const maxCauses = 50_000;
/** Emails that are sent because of emails, one after the other. */
const maxDepth = 10;
const dayMs = 86_400_000;

interface Decided extends RehearsedReaction {
  state: 'sent' | 'done' | 'skipped' | 'cancelled';
  reason: ReactionReason | null;
}

/**
 * What the events of the last days would have caused in the graph of a campaign, whether it is active or not, with what is known of
 * contacts now. Emails that would have been sent cause what follows their sending; whether they would have been opened is not
 * known. Contacts of a Directus are not read: they count as recipients.
 */
export async function rehearse(
  trx: Transaction,
  { id: campaignId, organizationId, days }: { id: string; organizationId: string; days: number },
): Promise<Rehearsal> {
  const until = new Date();
  const from = new Date(until.getTime() - days * dayMs).toISOString();
  const events = (await listEvents(trx, { campaign_id: campaignId })).map(({ id }) => id);
  const past = await listPastReactions(trx, organizationId, events, from, maxCauses);
  const judge = createJudge(trx, organizationId);
  const all: RehearsedReaction[] = [...past];
  let decided = await decide(all, judge);
  for (let depth = 1; depth < maxDepth; depth += 1) {
    const known = new Set(all.map(({ id }) => id));
    const sent = decided.filter(({ state, action }) => state === 'sent' && action === 'send_email');
    const following = (await listFollowing(trx, organizationId, events, sent)).filter(
      ({ id }) => !known.has(id),
    );
    if (following.length === 0 || all.length > maxCauses) break;
    all.push(...following);
    decided = await decide(all, judge);
  }
  return {
    from,
    until: until.toISOString(),
    listeners: summarize(decided),
    items: await toItems(trx, decided.slice(0, maxRecords)),
    count: decided.length,
    is_cut: (past[0]?.causes ?? 0) >= maxCauses || all.length > maxCauses,
  };
}

/** With why the contact would get no email, and when it would be due outside of quiet hours. */
type Judged = RehearsedReaction & { unsent: ReactionReason | null };
type Judge = (reactions: readonly RehearsedReaction[]) => Promise<Judged[]>;

const contactOf = ({ brand_id, collection, contact_id }: RehearsedReaction) =>
  JSON.stringify([brand_id, collection, contact_id]);

function createJudge(trx: Transaction, organizationId: string): Judge {
  const known = new Map<string, { reason: ReactionReason | null; zone: string | null }>();
  const quiet = new Map<string, FindQuietEnd | undefined>();

  async function lookUp(reactions: readonly RehearsedReaction[]): Promise<void> {
    const [first] = reactions;
    if (first === undefined) return;
    const { brand_id: brandId, collection } = first;
    const note = (reason: ReactionReason | null) => {
      for (const reaction of reactions) known.set(contactOf(reaction), { reason, zone: null });
    };
    const endpoint = await findEndpoint(trx, organizationId);
    if (endpoint !== null || collection === '') return note(null);
    note('no_contact');
    try {
      const from = { collection, endpoint, brandId, topicId: null, mapping: null };
      const audience = await findContactsAudience(trx, organizationId, from);
      if (audience === undefined) return;
      const keys = [...new Set(reactions.map(({ contact_id }) => contact_id))];
      const validated = await validateAudience(trx, organizationId, audience, { keys });
      for (const { id, ...judged } of await listJudged(trx, organizationId, validated))
        known.set(contactOf({ ...first, contact_id: id }), judged);
    } catch (error) {
      if (!(error instanceof UnusableAudience)) throw error;
      note('foreign_contacts');
    }
  }

  return async (reactions) => {
    const unknown = reactions.filter((reaction) => !known.has(contactOf(reaction)));
    for (const group of Map.groupBy(
      unknown,
      ({ brand_id, collection }) => `${brand_id} ${collection}`,
    ).values())
      await lookUp(group);
    for (const { brand_id } of unknown)
      if (!quiet.has(brand_id)) quiet.set(brand_id, await findQuietHours(trx, brand_id));
    return reactions.map((reaction) => {
      const { reason: unsent, zone } = known.get(contactOf(reaction))!;
      const { brand_id, quiet_hours, due_at } = reaction;
      const end = quiet_hours ? quiet.get(brand_id)?.(zone, due_at) : undefined;
      return { ...reaction, unsent, due_at: new Date(end ?? due_at).toISOString() };
    });
  };
}

/** What causes something at a time comes before it. */
const placeOf = ({ due_at, cause_at, id }: RehearsedReaction) =>
  [due_at, new Date(cause_at).toISOString(), id].join(' ');

/** Decides what becomes of reactions, in the order in which they are due, as `releaseReactions` does. */
async function decide(reactions: readonly RehearsedReaction[], judge: Judge): Promise<Decided[]> {
  const sorted = (await judge(reactions)).toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  /** When emails of a brand were sent to a contact lately, and when emails were stopped for a contact. */
  const sentAt = new Map<string, number[]>();
  const stops = new Map<string, RehearsedReaction[]>();
  const emailOf = (reaction: RehearsedReaction) => `${contactOf(reaction)} ${reaction.touchpoint_id}`;
  for (const reaction of sorted)
    if (reaction.action === 'stop_email' && !reaction.is_void)
      stops.set(emailOf(reaction), [...(stops.get(emailOf(reaction)) ?? []), reaction]);
  return sorted.map((reaction): Decided => {
    const skip = (reason: ReactionReason): Decided => ({ ...reaction, state: 'skipped', reason });
    if (reaction.is_void) return skip('unless');
    if (reaction.action !== 'send_email') return { ...reaction, state: 'done', reason: null };
    const isStop = (stop: RehearsedReaction) =>
      new Date(stop.cause_at) >= new Date(reaction.cause_at) && stop.due_at <= reaction.due_at;
    if (stops.get(emailOf(reaction))?.some(isStop) === true)
      return { ...reaction, state: 'cancelled', reason: 'stopped' };
    if (reaction.unsent !== null) return skip(reaction.unsent);
    const at = Date.parse(reaction.due_at);
    const lately = (sentAt.get(contactOf(reaction)) ?? []).filter((time) => time > at - dayMs);
    if (lately.length >= maxReactionsOfContact) return skip('contact_limit');
    sentAt.set(contactOf(reaction), [...lately, at]);
    return { ...reaction, state: 'sent', reason: null };
  });
}

function summarize(decided: readonly Decided[]): Rehearsal['listeners'] {
  return [...Map.groupBy(decided, ({ listener_id }) => listener_id)].map(([listener_id, of]) => {
    const countOf = (state: Decided['state']) => of.filter((reaction) => reaction.state === state).length;
    const reasons = Map.groupBy(
      of.flatMap(({ reason }) => reason ?? []),
      (reason) => reason,
    );
    return {
      listener_id,
      sent: countOf('sent'),
      done: countOf('done'),
      skipped: [...reasons]
        .map(([reason, some]) => ({ reason, count: some.length }))
        .toSorted((one, other) => other.count - one.count),
      contacts: new Set(of.filter(({ state }) => state === 'sent').map(contactOf)).size,
    };
  });
}

async function toItems(trx: Transaction, decided: readonly Decided[]): Promise<Rehearsal['items']> {
  const ids = decided.flatMap(({ touchpoint_id, cause_touchpoint_id }) =>
    [touchpoint_id, cause_touchpoint_id ?? []].flat(),
  );
  const names = await findTouchpointNames(trx, [...new Set(ids)]);
  return decided.map(({ cause_type, cause_at, cause_touchpoint_id, cause_detail, due_at, ...reaction }) => ({
    touchpoint_event_id: reaction.touchpoint_event_id,
    listener_id: reaction.listener_id,
    action: reaction.action,
    touchpoint_id: reaction.touchpoint_id,
    touchpoint_name: names.get(reaction.touchpoint_id) ?? null,
    collection: reaction.collection,
    contact_id: reaction.contact_id,
    cause: {
      type: cause_type as Rehearsal['items'][number]['cause']['type'],
      at: new Date(cause_at).toISOString(),
      touchpoint_id: cause_touchpoint_id,
      touchpoint_name: cause_touchpoint_id === null ? null : (names.get(cause_touchpoint_id) ?? null),
      detail: cause_detail,
    },
    due_at,
    state: reaction.state,
    reason: reaction.reason,
  }));
}
