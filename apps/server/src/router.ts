import { brandRoutes } from './brands/brand.routes.ts';
import { clientsBrandsRoutes } from './brands/clients-brands.routes.ts';
import { campaignRoutes } from './campaigns/campaign.routes.ts';
import { campaignsTouchpointsRoutes } from './campaigns/campaigns-touchpoints.routes.ts';
import { clientRoutes } from './clients/client.routes.ts';
import { contentRoutes } from './content-backend/content.routes.ts';
import { createStartingCollections } from './content-backend/starting-collections.ts';
import { filterRoutes } from './filters/filter.routes.ts';
import { createHealthRoutes } from './health.routes.ts';
import { mailboxRoutes } from './mailbox/mailbox.routes.ts';
import { createOrganizationRoutes } from './organizations/organization.routes.ts';
import { createSendRoutes } from './sends/send.routes.ts';
import type { Services } from './services.ts';
import { statisticsRoutes } from './statistics/statistics.routes.ts';
import { templateRoutes } from './templates/template.routes.ts';
import { createPreviewRoutes } from './touchpoints/email-preview.routes.ts';
import { createTouchpointRoute, touchpointRoutes } from './touchpoints/touchpoint.routes.ts';
import { meRoutes } from './users/me.routes.ts';

/** Every call of the contract with its implementation; the compiler says which one is missing. */
export function createRouter(services: Services) {
  const transport = services.config.smtpUrl === undefined ? 'mailbox' : 'smtp';
  const { review, preview } = createPreviewRoutes(transport);
  return {
    health: createHealthRoutes(services),
    me: meRoutes,
    organizations: createOrganizationRoutes({ onCreated: createStartingCollections }),
    clients: clientRoutes,
    brands: brandRoutes,
    clientsBrands: clientsBrandsRoutes,
    campaigns: campaignRoutes,
    campaignsTouchpoints: campaignsTouchpointsRoutes,
    touchpoints: { ...touchpointRoutes, review },
    emails: { preview },
    rpc: { createTouchpoint: createTouchpointRoute },
    sends: createSendRoutes({ transport }),
    content: contentRoutes,
    filters: filterRoutes,
    templates: templateRoutes,
    statistics: statisticsRoutes,
    mailbox: mailboxRoutes,
  };
}
