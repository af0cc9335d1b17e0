import { sql } from 'kysely';
import type { CampaignDomain, LinkedDomain } from '@reachout/contract/domains.ts';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import type { DomainStatus } from '@reachout/contract/states/domain.ts';
import { execute, rowsOf, type Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';

export async function listCampaignDomains(trx: Transaction, campaignId: string): Promise<CampaignDomain[]> {
  const rows = await trx
    .selectFrom('campaign_domains as l')
    .innerJoin('current_sending_domains as d', (on) =>
      on.onRef('d.organization_id', '=', 'l.organization_id').onRef('d.id', '=', 'l.domain_id'),
    )
    .select(['l.id', 'l.campaign_id', 'd.id as domain_id', 'd.domain', 'd.status', 'd.destination'])
    .where('l.campaign_id', '=', campaignId)
    .orderBy('d.domain')
    .execute();
  return rows.map(({ id, campaign_id, domain_id, ...domain }) => ({
    id,
    campaign_id,
    domain: { ...domain, id: domain_id },
  }));
}

/** Verified domains that a brand can use, by name. */
export const listUsableDomains = (
  trx: Transaction,
  { client_id, brand_id }: { client_id: string; brand_id: string },
): Promise<LinkedDomain[]> =>
  trx
    .selectFrom('current_sending_domains')
    .select(['id', 'domain', 'status', 'destination'])
    .where('status', '=', 'verified')
    .where(sql<boolean>`is_usable_for(client_id, brand_id, ${client_id}::uuid, ${brand_id}::uuid)`)
    .orderBy('domain')
    .execute();

interface SenderDomainRow {
  id: string;
  domain: string;
  status: DomainStatus;
  is_usable: boolean;
  is_linked: boolean;
  passed: readonly ('return_path' | 'tracking')[];
}

/** Domains that senders of a brand, or of a campaign that is linked to them, can be at; whatever the access scope is. */
export const listSenderDomains = (
  trx: Transaction,
  { brandId, campaignId }: { brandId: string; campaignId: string | undefined },
) => rowsOf<SenderDomainRow>(trx)`
  select id, domain, status, is_usable, is_linked, passed from sender_domains(${brandId}, ${campaignId ?? null})
`;

/** Links exactly these domains, among those within the access scope. */
export async function replaceCampaignDomains(
  trx: Transaction,
  { organization_id, campaign_id }: { organization_id: string; campaign_id: string },
  domainIds: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('campaign_domains')
    .where('campaign_id', '=', campaign_id)
    .where('domain_id', 'in', (of) => of.selectFrom('sending_domains').select('id'))
    .execute();
  await linkDomains(
    trx,
    domainIds.map((domain_id) => ({ organization_id, campaign_id, domain_id })),
  );
}

/** @param links  none of which exists */
export async function linkDomains(
  trx: Transaction,
  links: readonly { organization_id: string; campaign_id: string; domain_id: string }[],
): Promise<void> {
  if (links.length === 0) return;
  await trx
    .insertInto('campaign_domains')
    .values(links.map((link) => ({ ...link, id: newId() })))
    .execute();
}

/** Removes the domain from campaigns whose brand can no longer use it, and from deleted ones. */
export const unlinkOthers = (trx: Transaction, id: string, { client_id, brand_id }: Owner) => execute(trx)`
  delete from campaign_domains l
  where l.domain_id = ${id} and not exists (
    select from current_campaigns c
    where c.organization_id = l.organization_id and c.id = l.campaign_id
      and is_usable_for(${client_id}::uuid, ${brand_id}::uuid, c.client_id, c.brand_id))
`;
