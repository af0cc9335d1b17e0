import { sql } from 'kysely';
import type { sendAttention } from '@reachout/contract/dashboard.ts';
import { openSendStatuses, stoppedSendStatuses } from '@reachout/contract/states/send.ts';
import type { Transaction } from '../../platform/database/database.ts';

export interface SendsQuery {
  organizationId: string;
  /** Only sends of this client. */
  clientId?: string | undefined;
}

/** Ended sends that need attention are listed for this long. */
const mentionedDays = 14;

interface Picked<T> {
  picked: T[];
  /** Total number, beyond the limit too. */
  count: number;
}

/** Selects sends that are waiting to start, running, or paused or held by a user; without tests and triggered sends. */
export async function pickOpenSends(
  trx: Transaction,
  query: SendsQuery,
  limit: number,
): Promise<Picked<string>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select s.id, count(*) over () as count
    from touchpoint_sends s ${ofCurrentTouchpoints(query)}
      and s.kind not in ('test', 'triggered') and s.status = any(${openSendStatuses}::text[])
      and not (s.status = any(${stoppedSendStatuses}::text[]) and s.error is not null)
    order by s.status = any(${stoppedSendStatuses}::text[]), s.send_date, s.id
    limit ${limit}
  `.execute(trx);
  return { picked: rows.map(({ id }) => id), count: rows[0]?.count ?? 0 };
}

export interface SendToAttend {
  id: string;
  kind: (typeof sendAttention)[number];
}

/**
 * Selects sends that need attention: paused or held by the engine, or with uncertain messages that a user has to decide about; and
 * from the last days those that failed, or completed with failed messages, unless the email was sent again since.
 */
export async function pickSendsToAttend(
  trx: Transaction,
  query: SendsQuery,
  limit: number,
): Promise<Picked<SendToAttend>> {
  const { rows } = await sql<SendToAttend & { count: number }>`
    with picked as (
      select s.id, s.send_date,
        case
          when s.status = any(${stoppedSendStatuses}::text[]) and s.error is not null then 'send_paused'
          when s.recipients_uncertain_count > 0 and (s.uncertain_policy = 'hold' or s.end_date is not null) then 'send_unclear'
          when s.status = 'failed' then 'send_failed'
          when s.status = 'completed' and s.recipients_total_failed_count > 0 then 'send_short'
        end as kind
      from touchpoint_sends s ${ofCurrentTouchpoints(query)}
        and s.kind <> 'test'
        and (s.status = any(${openSendStatuses}::text[]) or s.created_at > now() - make_interval(days => ${mentionedDays}))
        and (s.end_date is null or not exists (
          select from touchpoint_sends again
          where again.organization_id = s.organization_id and again.touchpoint_id = s.touchpoint_id and not s.in_series
            and again.created_at > s.created_at and again.kind <> 'test'))
    )
    select id, kind, count(*) over () as count
    from picked
    where kind is not null
    order by array_position(array['send_paused', 'send_unclear', 'send_failed', 'send_short'], kind), send_date desc, id
    limit ${limit}
  `.execute(trx);
  return { picked: rows.map(({ id, kind }) => ({ id, kind })), count: rows[0]?.count ?? 0 };
}

/** Joins and filters `touchpoint_sends s`; further conditions may follow. */
const ofCurrentTouchpoints = ({ organizationId, clientId }: SendsQuery) => sql`
  join current_touchpoints t on t.organization_id = s.organization_id and t.id = s.touchpoint_id
  where s.organization_id = ${organizationId} and (${clientId ?? null}::uuid is null or t.client_id = ${clientId ?? null}::uuid)`;
