import type { CauseType, ReactionAction } from '@reachout/contract/rules/event-graph.ts';
import type { Unless } from '@reachout/contract/event-graph.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { execute, onlyRowOf, rowsOf, type Database, type Row } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { insertRows } from '../sample/rows.ts';
import type { TestApp } from './app.ts';
import type { ReadyEmail } from './ready-email.ts';
import { buildSentEmail } from './sent-email.ts';

/** Adds an email to the campaign of another one, with its content; active, unless told otherwise. @returns its id */
export async function buildListener(
  { person, touchpointId }: ReadyEmail,
  { isActive = true, name = 'Second', subject = 'Second' } = {},
): Promise<string> {
  const copy = await person.ok<{ id: string }>('POST', `/api/touchpoints/${touchpointId}/duplicate`, {
    name,
  });
  await person.ok('PATCH', `/api/touchpoints/${copy.id}/email`, { subject });
  if (isActive) await activate({ person, touchpointId: copy.id });
  return copy.id;
}

export const activate = ({ person, touchpointId }: Pick<ReadyEmail, 'person' | 'touchpointId'>) =>
  person.ok<Send>('POST', `/api/touchpoints/${touchpointId}/sends`, { kind: 'triggered' });

export interface GraphPart {
  /** Touchpoint, form or collection. */
  notifier?: string;
  formId?: string;
  collection?: string;
  listener: string;
  type: CauseType;
  event?: string | null;
  value?: string;
  days?: number;
  isYearly?: boolean;
  action?: ReactionAction;
  isActive?: boolean;
  delay?: string;
  unless?: Partial<Unless>;
  once?: boolean;
  quiet?: boolean;
}

/** Stores an event with one listener. @returns the ids of both */
export async function buildGraphPart(
  owner: Database,
  { organizationId, campaignId }: Pick<ReadyEmail, 'organizationId' | 'campaignId'>,
  part: GraphPart,
): Promise<{ eventId: string; listenerId: string }> {
  const [eventId, listenerId] = [newId(), newId()];
  const { id: actionId } = await onlyRowOf<{ id: string }>(owner)`
    select a.id from touchpoint_event_actions a
    where a.name = ${part.action ?? 'send_email'}
      and a.notifier_touchpoint_type is not distinct from (select type from touchpoints where id = ${part.notifier ?? null}::uuid)
      and a.listener_touchpoint_type = (select type from touchpoints where id = ${part.listener}::uuid)
  `;
  await insertRows(owner, 'touchpoint_events', {
    organization_id: organizationId,
    id: eventId,
    campaign_id: campaignId,
    event_type: part.type,
    event: part.event ?? null,
    is_active: part.isActive ?? true,
    notifier_touchpoint_id: part.notifier ?? null,
    form_id: part.formId ?? null,
    collection: part.collection ?? null,
    value: part.value ?? null,
    days: part.days ?? null,
    is_yearly: part.isYearly ?? false,
    touchpoint_event_action_id: actionId,
  });
  await insertRows(owner, 'touchpoint_event_listeners', {
    organization_id: organizationId,
    id: listenerId,
    touchpoint_event_id: eventId,
    listener_touchpoint_id: part.listener,
    delay: part.delay ?? 'PT0S',
    unless:
      part.unless === undefined ? null : JSON.stringify({ event: null, touchpoint_id: null, ...part.unless }),
    once_per_contact: part.once ?? false,
    quiet_hours: part.quiet ?? false,
  });
  return { eventId, listenerId };
}

/** Lists the reactions of an organization, by contact and time. */
export const listReactions = (owner: Database, organizationId: string) => rowsOf<Row<'reactions'>>(owner)`
  select * from reactions where organization_id = ${organizationId} order by contact_id, cause_at, id
`;

/** Builds a send of the email to its first contacts, who all got it; its messages have three links. */
export async function buildSentCopy(
  { owner }: TestApp,
  { organizationId, touchpointId }: Pick<ReadyEmail, 'organizationId' | 'touchpointId'>,
  contacts: number,
): Promise<{ id: string; touchpoint_id: string }> {
  const addresses = Array.from({ length: contacts }, (_, index) => `user${index + 1}@sink.example`);
  const { sendId } = await buildSentEmail(owner, { organizationId, touchpointId, addresses });
  await execute(
    owner,
  )`update deliveries set contact_id = 'contact-' || lpad(seq::text, 6, '0') where send_id = ${sendId}`;
  return { id: sendId, touchpoint_id: touchpointId };
}
