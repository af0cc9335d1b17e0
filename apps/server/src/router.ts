import { brandRoutes, clientsBrandsRoutes } from './clients/brands/brand.routes.ts';
import { topicRoutes } from './clients/brands/topic.routes.ts';
import { campaignRoutes } from './outreach/campaigns/campaign.routes.ts';
import { campaignsTouchpointsRoutes } from './outreach/campaigns/campaigns-touchpoints.routes.ts';
import { clientRoutes } from './clients/clients/client.routes.ts';
import { createTemplatePreviewRoute } from './contacts/audiences/template-preview.routes.ts';
import { importOperations } from './contacts/imports/import.routes.ts';
import { createContentRoutes } from './content/collections/content.routes.ts';
import { createContentBackendRoutes } from './content/directus/content-backend.routes.ts';
import { createFileRoutes } from './content/files/file.routes.ts';
import { createShareRoutes } from './content/shares/share.routes.ts';
import { createStorageRoutes } from './content/files/storage.routes.ts';
import { mirrorRoutes } from './content/mirror/mirror.routes.ts';
import { createStartingCollections } from './content/built-in/starting-collections.ts';
import { createSubscriptionRoutes } from './contacts/consent/subscription.routes.ts';
import { createSignUpFormRoutes } from './contacts/sign-ups/sign-up-form.routes.ts';
import { suppressionRoutes } from './contacts/consent/suppression.routes.ts';
import { createNoteRoutes } from './contacts/people/note.routes.ts';
import { createFilterRoutes } from './contacts/audiences/filter.routes.ts';
import { createEditedHelpRoutes } from './operations/help/edited-help.routes.ts';
import { helpRoutes } from './operations/help/help.routes.ts';
import { createHealthRoutes } from './operations/health/health.routes.ts';
import { createOperatorRoutes } from './identity/operators/operator.routes.ts';
import { createJobRoutes } from './operations/jobs/job.routes.ts';
import { mailboxRoutes, createSystemMailboxRoutes } from './operations/mailbox/mailbox.routes.ts';
import { dataRequestRoutes } from './operations/data-requests/data-request.routes.ts';
import { deleteMessagesTo } from './operations/mailbox/mailbox.queries.ts';
import { eraseTestsTo } from './operations/retention/erase-tests.ts';
import { createApiKeyRoutes, myApiKeyRoutes } from './identity/api-keys/api-key.routes.ts';
import { auditLogRoutes } from './identity/audit-log/audit-log.routes.ts';
import { createInvitationLinkRoutes } from './identity/invitations/invitation-link.routes.ts';
import {
  createInvitationRoutes,
  createMyInvitationsRoute,
} from './identity/invitations/invitation.routes.ts';
import { memberRoutes } from './identity/members/member.routes.ts';
import { createOrganizationRoutes } from './identity/organizations/organization.routes.ts';
import { referenceRoutes } from './identity/organizations/reference.routes.ts';
import { roleRoutes } from './identity/roles/role.routes.ts';
import { eventGraphRoutes, rehearseRoute, startGraphRoute } from './delivery/graph/event-graph.routes.ts';
import { createMessageRoutes, createTestRoute } from './delivery/messages/message.routes.ts';
import { createTouchpointRoutes } from './delivery/schedules/create-touchpoint.routes.ts';
import { createScheduleRoutes } from './delivery/schedules/schedule.routes.ts';
import { createSendRoutes } from './delivery/sends/send.routes.ts';
import { createPictureRoute } from './delivery/sends/picture.routes.ts';
import { policyOfInstallation } from './email/transports/sender-policy.ts';
import type { MailSetup } from './outreach/channels/channel.ts';
import type { Services } from './services.ts';
import { createDashboardRoutes } from './insight/dashboard/dashboard.routes.ts';
import { createStartRoute } from './start-route.ts';
import { statisticsRoutes } from './insight/statistics/statistics.routes.ts';
import { createPreferenceRoutes } from './insight/preferences/preferences.routes.ts';
import { createWebsiteRoutes } from './insight/websites/website.routes.ts';
import { createTimelineRoutes } from './insight/timeline/timeline.routes.ts';
import { createShowLogo } from './identity/storage/logo-preview.ts';
import {
  campaignDomainRoutes,
  getAvailableDomainsRoute,
} from './outreach/domains/campaign-domains.routes.ts';
import { createDomainRoutes } from './outreach/domains/domain.routes.ts';
import { createSenderPolicies } from './outreach/domains/sender-policies.ts';
import { createTransportRoutes } from './outreach/transports/transport.routes.ts';
import { createTemplateRoutes } from './content/templates/template.routes.ts';
import { releaseFilter } from './outreach/channels/email/touchpoint-email.queries.ts';
import { createEmailContentRoutes } from './outreach/channels/email/email.routes.ts';
import { createReviewRoute } from './outreach/touchpoints/review.routes.ts';
import { duplicateCampaignRoute, touchpointRoutes } from './outreach/touchpoints/touchpoint.routes.ts';
import { createEmailRoutes } from './identity/auth/change-email/change-email.routes.ts';
import { createMeRoutes } from './identity/account/me.routes.ts';
import { createPasswordRoutes } from './identity/auth/passwords/password.routes.ts';
import { createPasskeyRoutes } from './identity/auth/second-factor/passkey.routes.ts';
import { createSecondFactorRoutes } from './identity/auth/second-factor/second-factor.routes.ts';
import { sessionRoutes } from './identity/auth/sessions/sessions.routes.ts';

/** Settings of the installation that checks and sends need. */
export const createMailSetup = (services: Services): MailSetup => ({
  policies: createSenderPolicies(policyOfInstallation(services.config)),
  publicUrl: services.config.publicUrl,
  content: services,
});

/** Maps every operation of the contract to its implementation; the compiler reports missing ones. */
export function createRouter(services: Services) {
  const signInDeps = { ...services, db: services.authDb };
  const { secrets, config } = services;
  const setup = createMailSetup(services);
  const { preview, ...emailContentRoutes } = createEmailContentRoutes(setup);
  const schedules = createScheduleRoutes(setup);
  const { create: createTouchpoint, createByRpc } = createTouchpointRoutes(schedules);
  const showLogo = createShowLogo(services);
  const inviting = { secrets, publicUrl: config.publicUrl, showLogo };
  const routes = {
    health: createHealthRoutes(services),
    me: {
      ...createMeRoutes({ ...services, eraseElsewhere: { deleteMessagesTo, eraseTestsTo } }),
      ...sessionRoutes,
      ...createEmailRoutes(signInDeps),
      ...myApiKeyRoutes,
      ...createSecondFactorRoutes(services),
      ...createPasskeyRoutes(signInDeps),
      invitations: createMyInvitationsRoute(inviting),
    },
    organizations: createOrganizationRoutes({ onCreated: createStartingCollections }, services),
    members: memberRoutes,
    organizationRoles: roleRoutes,
    invitations: { ...createInvitationRoutes(inviting), ...createInvitationLinkRoutes(inviting) },
    apiKeys: createApiKeyRoutes(services.secrets),
    auditLog: auditLogRoutes,
    reference: referenceRoutes,
    help: helpRoutes,
    editedHelp: createEditedHelpRoutes(services),
    clients: clientRoutes,
    brands: brandRoutes,
    topics: topicRoutes,
    clientsBrands: clientsBrandsRoutes,
    campaigns: {
      ...campaignRoutes,
      ...campaignDomainRoutes,
      duplicate: duplicateCampaignRoute,
      startGraph: startGraphRoute,
      rehearseGraph: rehearseRoute,
    },
    campaignsTouchpoints: campaignsTouchpointsRoutes,
    touchpoints: {
      ...touchpointRoutes,
      ...emailContentRoutes,
      create: createTouchpoint,
      review: createReviewRoute(setup),
    },
    emails: { picture: createPictureRoute(setup), preview, test: createTestRoute(setup) },
    communicationPreferences: createPreferenceRoutes({
      ...services,
      publicUrl: config.publicUrl,
    }),
    rpc: {
      createTouchpoint: createByRpc,
      getAvailableDomains: getAvailableDomainsRoute,
      ...createPasswordRoutes(signInDeps),
    },
    websites: createWebsiteRoutes(config),
    ...eventGraphRoutes,
    sends: createSendRoutes(setup),
    schedules,
    messages: createMessageRoutes(setup),
    content: {
      ...createContentRoutes(services),
      ...importOperations,
      ...createFileRoutes(services),
      ...createShareRoutes(services),
    },
    storage: createStorageRoutes(services),
    contentBackend: { ...createContentBackendRoutes(services), ...mirrorRoutes },
    transports: createTransportRoutes({ ...services, publicUrl: config.publicUrl }),
    consent: createSubscriptionRoutes(services),
    suppressions: suppressionRoutes,
    dataRequests: dataRequestRoutes,
    signUpForms: createSignUpFormRoutes(config.publicUrl, services),
    contacts: { ...createNoteRoutes(services), ...createTimelineRoutes(services) },
    domains: createDomainRoutes(services),
    filters: createFilterRoutes({ releaseFilter }, services),
    templates: { ...createTemplateRoutes(setup), preview: createTemplatePreviewRoute(setup) },
    statistics: statisticsRoutes,
    dashboard: createDashboardRoutes(setup.policies, showLogo),
    mailbox: mailboxRoutes,
    systemMailbox: createSystemMailboxRoutes(services),
    jobs: createJobRoutes(services),
    operator: createOperatorRoutes(services),
  };
  return { ...routes, start: createStartRoute(routes) };
}
