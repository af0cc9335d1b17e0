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
import { createSystemMailboxRoutes } from './mailbox/system-mailbox.routes.ts';
import { createApiKeyRoutes } from './organizations/api-key.routes.ts';
import { auditLogRoutes } from './organizations/audit-log.routes.ts';
import { createInvitationLinkRoutes } from './organizations/invitation-link.routes.ts';
import { createInvitationRoutes, createMyInvitationsRoute } from './organizations/invitation.routes.ts';
import { memberRoutes } from './organizations/member.routes.ts';
import { createOrganizationRoutes } from './organizations/organization.routes.ts';
import { referenceRoutes } from './organizations/reference.routes.ts';
import { roleRoutes } from './organizations/role.routes.ts';
import { createSendRoutes } from './sends/send.routes.ts';
import type { Services } from './services.ts';
import { statisticsRoutes } from './statistics/statistics.routes.ts';
import { createShowLogo } from './storage/logo-preview.ts';
import { templateRoutes } from './templates/template.routes.ts';
import { createPreviewRoutes } from './touchpoints/email-preview.routes.ts';
import { createTouchpointRoute, touchpointRoutes } from './touchpoints/touchpoint.routes.ts';
import { createEmailRoutes } from './users/email.routes.ts';
import { createMeRoutes } from './users/me.routes.ts';
import { createPasswordRoutes } from './users/password.routes.ts';
import { sessionRoutes } from './users/sessions.routes.ts';

/** Every call of the contract with its implementation; the compiler says which one is missing. */
export function createRouter(services: Services) {
  const transport = services.config.smtpUrl === undefined ? 'mailbox' : 'smtp';
  const { review, preview } = createPreviewRoutes(transport);
  const { secrets, config } = services;
  const inviting = { secrets, publicUrl: config.publicUrl, showLogo: createShowLogo(services) };
  return {
    health: createHealthRoutes(services),
    me: {
      ...createMeRoutes(services),
      ...sessionRoutes,
      ...createEmailRoutes(services),
      invitations: createMyInvitationsRoute(inviting),
    },
    organizations: createOrganizationRoutes({ onCreated: createStartingCollections }, services),
    members: memberRoutes,
    organizationRoles: roleRoutes,
    invitations: { ...createInvitationRoutes(inviting), ...createInvitationLinkRoutes(inviting) },
    apiKeys: createApiKeyRoutes(services.secrets),
    auditLog: auditLogRoutes,
    reference: referenceRoutes,
    clients: clientRoutes,
    brands: brandRoutes,
    clientsBrands: clientsBrandsRoutes,
    campaigns: campaignRoutes,
    campaignsTouchpoints: campaignsTouchpointsRoutes,
    touchpoints: { ...touchpointRoutes, review },
    emails: { preview },
    rpc: { createTouchpoint: createTouchpointRoute, ...createPasswordRoutes(services) },
    sends: createSendRoutes({ transport }),
    content: contentRoutes,
    filters: filterRoutes,
    templates: templateRoutes,
    statistics: statisticsRoutes,
    mailbox: mailboxRoutes,
    systemMailbox: createSystemMailboxRoutes({ delivers: transport === 'smtp' }),
  };
}
