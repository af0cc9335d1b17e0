import { sql } from 'kysely';
import type { CampaignStatus } from '@reachout/contract/states/campaign.ts';
import { noteChanges } from '../../clients/outbox/note-changes.ts';
import type { Transaction } from '../../platform/database/database.ts';

export interface PastCampaign {
  id: string;
  brand_id: string;
  name: string;
  status: CampaignStatus;
  created_at: Date;
  updated_at: Date;
}

export async function insertPastCampaigns(
  trx: Transaction,
  organizationId: string,
  campaigns: readonly PastCampaign[],
): Promise<void> {
  await sql`
    insert into campaigns (organization_id, id, brand_id, name, status, created_at, updated_at)
    select ${organizationId}::uuid, id, brand_id, name, status, created_at, updated_at
    from json_to_recordset(${JSON.stringify(campaigns)}::json)
      as c(id uuid, brand_id uuid, name text, status text, created_at timestamptz, updated_at timestamptz)
  `.execute(trx);
  await noteChanges(
    trx,
    'reachout_campaigns',
    campaigns.map(({ id }) => id),
  );
}
