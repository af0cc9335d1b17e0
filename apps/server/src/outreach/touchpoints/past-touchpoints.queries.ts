import { sql } from 'kysely';
import type { TouchpointStatus, TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { noteChanges } from '../../clients/outbox/note-changes.ts';
import type { Transaction } from '../../platform/database/database.ts';

export interface PastTouchpoint {
  id: string;
  campaign_id: string;
  name: string;
  type: TouchpointType;
  status: TouchpointStatus;
  created_at: Date;
  updated_at: Date;
}

export async function insertPastTouchpoints(
  trx: Transaction,
  organizationId: string,
  touchpoints: readonly PastTouchpoint[],
): Promise<void> {
  await sql`
    insert into touchpoints (organization_id, id, campaign_id, name, type, status, created_at, updated_at)
    select ${organizationId}::uuid, id, campaign_id, name, type, status, created_at, updated_at
    from json_to_recordset(${JSON.stringify(touchpoints)}::json)
      as t(id uuid, campaign_id uuid, name text, type text, status text, created_at timestamptz, updated_at timestamptz)
  `.execute(trx);
  await noteChanges(
    trx,
    'reachout_touchpoints',
    touchpoints.map(({ id }) => id),
  );
}
