import { inTransaction, operations } from '../../identity/access/operations.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import { requireCampaign } from '../campaigns/campaigns.ts';
import { listCampaignDomains, listUsableDomains, replaceCampaignDomains } from './campaign-domain.queries.ts';

export const campaignDomainRoutes = {
  listDomains: inTransaction(operations.campaigns.listDomains, async (trx, { id }) => {
    await requireCampaign(trx, id);
    return await listCampaignDomains(trx, id);
  }),
  setDomains: inTransaction(operations.campaigns.setDomains, async (trx, { id, domain_ids }, context) => {
    const campaign = await requireCampaign(trx, id);
    const linked = await listCampaignDomains(trx, id);
    const wanted = new Set(domain_ids);
    // One that began to fail can stay.
    const usable = new Set(
      [...(await listUsableDomains(trx, campaign)), ...linked.map(({ domain }) => domain)].map(
        (domain) => domain.id,
      ),
    );
    if (![...wanted].every((domainId) => usable.has(domainId)))
      throw invalidInput(
        'domain_ids',
        'The campaign can use none but verified domains of its brand or client.',
      );
    const of = { organization_id: context.organizationId, campaign_id: id };
    await replaceCampaignDomains(trx, of, [...wanted]);
    context.note({ record_id: id, record_name: campaign.name });
    return await listCampaignDomains(trx, id);
  }),
};

export const getAvailableDomainsRoute = operations.rpc.getAvailableDomains.handler(({ input, context }) =>
  context.transaction(async (trx) => listUsableDomains(trx, await requireCampaign(trx, input.campaign_id))),
);
