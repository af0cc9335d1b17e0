import { isDeepStrictEqual } from 'node:util';
import { ORPCError } from '@orpc/contract';
import type { Item } from '@reachout/contract/content.ts';
import { touchpointEventTypes } from '@reachout/contract/rules/event-graph.ts';
import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { openSendStatuses } from '@reachout/contract/states/send.ts';
import type { Audience } from '../../contacts/audiences/audience.ts';
import type { ContactRows } from '../../contacts/audiences/audience-sql.ts';
import { validateAudience } from '../../contacts/audiences/count-audience.ts';
import {
  findContactsAudience,
  findEndpoint,
  UnusableAudience,
} from '../../contacts/audiences/find-audience.ts';
import { findMark, isMarkedElsewhere } from '../../contacts/audiences/unsubscribed-mark.ts';
import { suppressErased, type AddressHashes } from '../../contacts/consent/erased-addresses.ts';
import { addressKeyOf } from '../../contacts/consent/subscription.ts';
import { unbindVisitors } from '../../contacts/people/visitor-contacts.ts';
import { toStorableItem } from '../../content/backend/storable-item.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import {
  listContactFields,
  openContacts,
  type BackendAccess,
} from '../../content/gateway/contact-collection.ts';
import { wantRecipientGroups } from '../../email/recipient-groups/recipient-domain-jobs.ts';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import { reserve } from '../../ledger/allowances.ts';
import {
  inOrganization,
  withoutNestedLoops,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import type { Log } from '../../platform/log.ts';
import { byKey, counter, type Metric } from '../../platform/metrics/metric.ts';
import { createPoller, type Poller } from '../../platform/poller.ts';
import { maxWaiting } from '../messages/create-message.ts';
import { findTriggeredSend, getSendParts } from '../../queue/message.queries.ts';
import {
  endReactions,
  findDueReactions,
  listDueReactions,
  listMappingsOfCauses,
  listVariablesOfCauses,
  listZones,
  lockReleases,
  noteProblem,
  postponeReactions,
  releaseReactions,
  skipVoid,
  stopMessages,
  type DueReaction,
  type ReactionGroup,
} from '../../queue/release-reactions.queries.ts';
import { listTerms } from './event-graph.queries.ts';
import { findQuietHours } from './quiet-ends.ts';

const everyMs = 1_000;
/** Reactions that one transaction releases. */
const batchSize = 500;
/** Groups of a look: one batch of each, so that a large one does not hold up the others. */
const maxGroups = 50;
/** After which a batch is tried again that a content backend or a limit held up. */
const heldUpMinutes = 5;
/** A group whose release failed in another way is left alone for this time. */
const leaveAloneMs = 60_000;

export interface ReleaseDeps {
  db: Database;
  policies: SenderPolicies;
  content: DirectusDeps & { secrets: AddressHashes };
  log: Log;
}

const released = { sent: 0, skipped: 0, postponed: 0, done: 0, held_up: 0 };

/** docs/metrics.md */
export const collectReactions = (): Metric[] => [
  counter(
    'reachout_reactions_total',
    'Reactions that were due, by what became of them.',
    byKey('outcome', released),
  ),
];

/** Lets reactions happen when they are due, in each worker: docs/event-graph.md */
export function startReactionRelease(deps: ReleaseDeps): Poller {
  const leftAlone = new Map<string, number>();
  return createPoller({
    name: 'release of reactions',
    everyMs,
    log: deps.log,
    work: async (signal) => {
      while (!signal.aborted && (await releaseOnce(deps, leftAlone, signal)));
    },
  });
}

/**
 * Releases a batch of each group that is due.
 * @param leftAlone  groups whose release failed, with `performance.now()` then
 * @returns whether there may be more to release at once
 */
export async function releaseOnce(
  deps: ReleaseDeps,
  leftAlone = new Map<string, number>(),
  signal?: AbortSignal,
): Promise<boolean> {
  let isMore = false;
  for (const group of await findDueReactions(deps.db, maxGroups)) {
    const key = Object.values(group).join(' ');
    if (signal?.aborted === true) return false;
    if (performance.now() - (leftAlone.get(key) ?? -leaveAloneMs) < leaveAloneMs) continue;
    leftAlone.delete(key);
    try {
      isMore = (await releaseGroup(deps, group)) || isMore;
    } catch (error) {
      deps.log.error({ err: error, ...group }, 'reactions not released');
      leftAlone.set(key, performance.now());
    }
  }
  return isMore;
}

/** @returns whether there may be more to release at once */
const releaseGroup = (deps: ReleaseDeps, group: ReactionGroup): Promise<boolean> =>
  group.action === 'send_email' ? sendMessages(deps, group) : changeContacts(deps, group);

/** What stops emails, and starts or stops that visits are those of a contact. */
async function changeContacts({ db }: ReleaseDeps, group: ReactionGroup): Promise<boolean> {
  const { organization_id: organizationId, touchpoint_id: touchpointId, action } = group;
  return await inOrganization(db, organizationId, async (trx) => {
    // Locked before reactions, as by all who lock both.
    const send =
      action === 'stop_email'
        ? await findTriggeredSend(trx, touchpointId, 'lock', openSendStatuses)
        : undefined;
    const due = await listDueReactions(trx, group, batchSize, 'lock');
    const listeners = await listTerms(trx, due);
    const ids = await skipVoid(
      trx,
      organizationId,
      due.map(({ id }) => id),
      listeners,
    );
    if (action === 'stop_email') await stopMessages(trx, group, send?.id ?? null, ids);
    const contacts = due.filter(({ id }) => ids.includes(id));
    if (action === 'stop_tracking') await unbindVisitors(trx, organizationId, touchpointId, contacts);
    await endReactions(trx, organizationId, ids, { state: 'done', reason: null });
    released.done += ids.length;
    released.skipped += due.length - ids.length;
    return due.length === batchSize;
  });
}

/** Due reactions, with where their contacts are. */
interface Batch {
  group: ReactionGroup;
  due: readonly DueReaction[];
  audience: Audience;
  brandId: string;
  contactFields: readonly string[] | null;
  /** The Directus that may mark people without a contact as unsubscribed; null: none is connected. */
  markedIn: string | null;
}

/** @param most  reactions that are released together */
async function sendMessages(deps: ReleaseDeps, group: ReactionGroup, most = batchSize): Promise<boolean> {
  const { db, log } = deps;
  const { organization_id: organizationId } = group;
  const run = <T>(work: (trx: Transaction) => Promise<T>) => inOrganization(db, organizationId, work);
  const batch = await run((trx) => findBatch(trx, group, most));
  if (batch === undefined || batch === 'skipped') return batch === 'skipped';
  const ids = batch.due.map(({ id }) => id);
  const holdUp = (problem: object) =>
    run(async (trx) => {
      const send = await findTriggeredSend(trx, group.touchpoint_id, 'lock');
      await postponeReactions(trx, organizationId, ids, heldUpMinutes);
      if (send !== undefined) await noteProblem(trx, organizationId, send.id, problem);
      released.held_up += ids.length;
      return true;
    });
  let items: Item[] | undefined;
  try {
    items = await readItems(deps.content, batch, run);
  } catch (error) {
    if (!(error instanceof ORPCError)) throw error;
    log.warn({ err: error, ...group }, 'contacts of reactions not read');
    return await holdUp(sendError('contacts_delayed', { detail: error.message }));
  }
  try {
    const { sent, skipped, postponed, unknownDomains } = await run((trx) =>
      releaseBatch(trx, deps, batch, items),
    );
    released.sent += sent;
    released.skipped += skipped;
    released.postponed += postponed;
    await wantRecipientGroups({ db, log }, unknownDomains);
    return sent + skipped + postponed > 0;
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    // A part may be within the allowance.
    if (batch.due.length > 1) return await sendMessages(deps, group, Math.floor(batch.due.length / 2));
    return await holdUp(error.problem);
  }
}

/** An allowance is used up: rolls back a release. */
class TooMuch extends Error {
  readonly problem: object;
  constructor(problem: object) {
    super('The allowance of the organization is used up.');
    this.problem = problem;
  }
}

/** @returns undefined if nothing can be sent: the email is not active; `skipped` if some of the contacts cannot be used */
async function findBatch(
  trx: Transaction,
  group: ReactionGroup,
  most: number,
): Promise<Batch | 'skipped' | undefined> {
  const { organization_id: organizationId, touchpoint_id: touchpointId } = group;
  const send = await findTriggeredSend(trx, touchpointId);
  if (send === undefined) return undefined;
  const room = Math.min(most, maxWaiting - send.waiting);
  const all = room <= 0 ? [] : await listDueReactions(trx, group, room);
  const [first] = all;
  if (first === undefined) return undefined;
  const skip = async (reactions: readonly DueReaction[], reason: 'foreign_contacts' | 'no_contact') => {
    const ids = reactions.map(({ id }) => id);
    await endReactions(trx, organizationId, ids, { state: 'skipped', reason });
    released.skipped += ids.length;
    return 'skipped' as const;
  };
  const { collection } = first;
  const endpoint = await findEndpoint(trx, organizationId);
  // The same key is somebody else in another content backend.
  const gone = collection === '' ? [] : all.filter((reaction) => reaction.endpoint !== endpoint);
  if (gone.length > 0) return await skip(gone, 'no_contact');
  const causes = new Set(all.flatMap(({ cause_send_id: id }) => (id === null ? [] : [id])));
  const mappings = await listMappingsOfCauses(trx, organizationId, collection, [...causes]);
  const mappingOf = ({ cause_send_id }: DueReaction) =>
    mappings.find(({ send_id }) => send_id === cause_send_id)?.field_mapping ?? null;
  const mapping = mappingOf(first);
  const alike = all.filter((reaction) => isDeepStrictEqual(mappingOf(reaction), mapping));
  const due = alike.slice(0, await roomFor(trx, alike, endpoint));
  const { brand_id: brandId, topic_id: topicId } = await getSendParts(trx, send.id);
  const from = { collection, endpoint: collection === '' ? null : endpoint, brandId, topicId, mapping };
  try {
    const audience = await findContactsAudience(trx, organizationId, from);
    if (audience === undefined) return await skip(due, 'no_contact');
    return { group, due, audience, brandId, contactFields: send.contact_fields, markedIn: endpoint };
  } catch (error) {
    if (!(error instanceof UnusableAudience)) throw error;
    return await skip(due, 'foreign_contacts');
  }
}

/** Reactions whose `unless` is about a website: each reads sessions. */
const maxOfWebsites = 50;
/** People without a contact are looked up in a Directus one by one. */
const maxLookedUp = 20;

/** @returns how many of the reactions are released together: of people without a contact, one for each address */
async function roomFor(
  trx: Transaction,
  due: readonly DueReaction[],
  endpoint: string | null,
): Promise<number> {
  const terms = await listTerms(trx, due);
  const isOfWebsite = terms.some(({ unless }) =>
    touchpointEventTypes.website.some((type) => type === unless?.event_type),
  );
  const most = isOfWebsite ? maxOfWebsites : due.length;
  if (due[0]?.collection !== '') return most;
  const again = due.findIndex(
    ({ contact_id }, index) => due.findIndex((one) => one.contact_id === contact_id) < index,
  );
  return Math.min(most, again < 0 ? most : again, endpoint === null ? most : maxLookedUp);
}

/** Reads contacts that are not here, outside of transactions. @returns undefined if they are here @throws 424 `backend_failed` */
async function readItems(
  deps: DirectusDeps,
  { group, due, audience, brandId, contactFields }: Batch,
  run: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>,
): Promise<Item[] | undefined> {
  const { collection, endpoint, field_mapping } = audience;
  const { organization_id: organizationId } = group;
  if (collection === '') return await readCauses(deps, { organizationId, run }, { due, brandId });
  if (endpoint === null) return undefined;
  const known =
    contactFields ??
    (await run((trx) => listContactFields(trx, organizationId, audience))).map(({ name }) => name);
  const mapped = Object.values(field_mapping).filter((name) => name !== null);
  const fields = [...new Set([...known, ...mapped])].filter((name) => name !== 'id');
  const backend = await openContacts(deps, organizationId, endpoint, run, { isAwaited: false });
  const keys = [...new Set(due.map(({ contact_id }) => contact_id))];
  const read = async (filter: Record<string, unknown>, limit: number) => {
    const items: Item[] = [];
    const query = { filter, fields: ['id', ...fields], limit, offset: 0 };
    for await (const page of backend.readItems(collection, query))
      items.push(
        ...page.map((item) => ({ ...toStorableItem(item, fields), id: `${item['id'] as string | number}` })),
      );
    return items;
  };
  const items = await read({ id: { _in: keys } }, keys.length);
  const { email, unsubscribed } = field_mapping;
  if (unsubscribed === null) return items;
  // Other contacts with the same addresses that are marked: the addresses get nothing, as in an audience.
  const addresses = [
    ...new Set(items.flatMap((item) => [textOf(item[email]), textOf(item[email]).toLowerCase()])),
  ];
  const marked = await read({ [unsubscribed]: { _eq: true }, [email]: { _in: addresses } }, 10 * batchSize);
  return [...items, ...marked.filter(({ id }) => !keys.includes(textOf(id)))];
}

/** @param items  the contacts, if they are in a Directus @throws TooMuch */
async function releaseBatch(
  trx: Transaction,
  { policies, content }: ReleaseDeps,
  { group, due: found, audience, brandId, contactFields }: Batch,
  items: Item[] | undefined,
) {
  const { organization_id: organizationId, touchpoint_id: touchpointId } = group;
  const nothing = { sent: 0, skipped: 0, postponed: 0, unknownDomains: [] };
  const send = await findTriggeredSend(trx, touchpointId, 'lock');
  if (send === undefined || send.waiting + found.length > maxWaiting) return nothing;
  const locked = await listDueReactions(trx, group, found.length, 'lock');
  const due = locked.filter(({ id }) => found.some((one) => one.id === id));
  if (due.length === 0) return nothing;
  const rows: ContactRows =
    items !== undefined ? { items } : { keys: [...new Set(due.map(({ contact_id }) => contact_id))] };
  if (typeof rows === 'object' && 'items' in rows)
    await suppressErased(
      trx,
      content.secrets,
      { organizationId, brandsInScope: () => Promise.resolve([brandId]) },
      () => rows.items.flatMap((item) => addressKeyOf(textOf(item[audience.field_mapping.email])) ?? []),
    );
  await lockReleases(trx, brandId);
  const validated = await validateAudience(trx, organizationId, audience, rows);
  const findQuietEnd = await findQuietHours(trx, brandId);
  const zones = findQuietEnd === undefined ? [] : await listZones(trx, organizationId, validated);
  const now = new Date().toISOString();
  const quietEnds = ['', ...zones].flatMap((zone) => {
    const at = findQuietEnd?.(zone, now);
    return at === undefined ? [] : [[zone, at] as const];
  });
  const terms = await listTerms(trx, due);
  const release = {
    organizationId,
    brandId,
    sendId: send.id,
    reactions: due.map(({ id }) => id),
    listeners: terms,
    audience: validated,
    contactFields,
    quietEnds: Object.fromEntries(quietEnds),
  };
  const result = await withoutNestedLoops(trx, () => releaseReactions(trx, release));
  if (result.sent === 0) return result;
  const policy = await policies.of(trx, { organizationId, brandId, campaignId: undefined });
  const shortage = await reserve(trx, { organizationId, userId: send.user_created }, policy);
  if (shortage !== undefined) throw new TooMuch(shortage.error);
  await notifyWorkers(trx);
  return policy.transport === 'mailbox' ? { ...result, unknownDomains: [] } : result;
}

/** What is known of people without a contact: the values of the message that caused the reaction, and whether a list marks them. */
async function readCauses(
  deps: DirectusDeps,
  access: Pick<BackendAccess, 'organizationId' | 'run'>,
  { due, brandId }: Pick<Batch, 'due' | 'brandId'>,
): Promise<Item[]> {
  const { organizationId, run } = access;
  const causes = await run((trx) => listVariablesOfCauses(trx, organizationId, due));
  const items: Item[] = [];
  for (const { id, variables } of causes) {
    const { isMarked, elsewhere } = await run((trx) => findMark(trx, organizationId, brandId, id));
    const unsubscribed =
      isMarked || (elsewhere !== undefined && (await isMarkedElsewhere({ ...access, deps }, elsewhere, id)));
    items.push({ ...variables, email: id, id, unsubscribed });
  }
  return items;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
