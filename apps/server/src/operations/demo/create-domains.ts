import type { Brand } from '@reachout/contract/clients.ts';
import { createPastDomains, type PastDomainDeps } from '../../outreach/domains/create-past-domains.ts';
import type { NewPastCampaign } from '../../outreach/touchpoints/create-past-campaigns.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { demoDomains } from './demo-domains.ts';
import type { Place } from './make-records.ts';
import { plots, type BrandKey } from './story/story.ts';

/** Campaigns of a brand that are limited to its domain. */
const linkedCampaigns = 2;

/** Creates the domains of the demo, and links the verified ones to the latest campaigns of their brands. */
export async function createDomains(
  trx: Transaction,
  { organizationId, now }: Place,
  deps: PastDomainDeps,
  { kits, campaigns }: { kits: Readonly<Record<BrandKey, Brand>>; campaigns: readonly NewPastCampaign[] },
): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
  await createPastDomains(
    trx,
    deps,
    organizationId,
    demoDomains.map(({ brand, isOfClient, status, ageMs, lost }) => {
      const { id, client_id } = kits[brand];
      const { domain } = plots[brand];
      const own = campaigns.filter(({ brand_id }) => brand_id === id);
      return {
        client_id,
        brand_id: isOfClient ? null : id,
        domain,
        destination: `https://${domain}`,
        status,
        created_at: ago(ageMs),
        ...(lost !== undefined && { lost: { ...lost, at: ago(lost.agoMs) } }),
        campaignIds: status === 'verified' ? own.slice(-linkedCampaigns).map((campaign) => campaign.id) : [],
      };
    }),
  );
}
