import { sql } from 'kysely';
import { openSendStatuses } from '@reachout/contract/states/send.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** The records that a send belongs to, from the top down. */
export type SendOwner = 'organizations' | 'clients' | 'brands' | 'campaigns' | 'touchpoints';

const columnOf = {
  organizations: 's.organization_id',
  clients: 'b.client_id',
  brands: 'c.brand_id',
  campaigns: 't.campaign_id',
  touchpoints: 't.id',
} as const satisfies Record<SendOwner, string>;

/** @returns true while a send below this record, except tests, is queued, running or paused */
export async function hasOpenSend(trx: Transaction, owner: SendOwner, id: string): Promise<boolean> {
  const send = await trx
    .selectFrom('touchpoint_sends as s')
    .innerJoin('touchpoints as t', (on) =>
      on.onRef('t.organization_id', '=', 's.organization_id').onRef('t.id', '=', 's.touchpoint_id'),
    )
    .innerJoin('campaigns as c', (on) =>
      on.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'),
    )
    .innerJoin('brands as b', (on) =>
      on.onRef('b.organization_id', '=', 'c.organization_id').onRef('b.id', '=', 'c.brand_id'),
    )
    .where('s.status', 'in', openSendStatuses)
    .where('s.kind', '<>', 'test')
    .where(columnOf[owner], '=', id)
    .select(sql`1`.as('one'))
    .limit(1)
    .executeTakeFirst();
  return send !== undefined;
}
