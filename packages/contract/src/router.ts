import { apiKeys } from './api-keys.ts';
import { auditLog } from './audit-log.ts';
import { campaigns, campaignsTouchpoints } from './campaigns.ts';
import { brands, clients, clientsBrands } from './clients.ts';
import { communicationPreferences } from './communication-preferences.ts';
import { consent } from './consent.ts';
import { contacts } from './contacts.ts';
import { contentBackend } from './content-backend.ts';
import { content } from './content.ts';
import { createTouchpoint, createTouchpointRpc } from './create-touchpoint.ts';
import { dashboard } from './dashboard.ts';
import { campaignDomains, domains, getAvailableDomains } from './domains.ts';
import {
  campaignGraph,
  eventReactions,
  touchpointEventActionList,
  touchpointEvents,
  touchpointEventTypeList,
} from './event-graph.ts';
import { filters } from './filters.ts';
import { health } from './health.ts';
import { editedHelp, help } from './help.ts';
import { invitations } from './invitations.ts';
import { jobs } from './jobs.ts';
import { mailbox, systemMailbox } from './mailbox.ts';
import { me, updateUserPassword } from './me.ts';
import { members } from './members.ts';
import { messages, sendTestEmail } from './messages.ts';
import { operator } from './operator.ts';
import { organizations } from './organizations.ts';
import { reference } from './reference.ts';
import { organizationRoles } from './roles.ts';
import { schedules } from './schedules.ts';
import { sends } from './sends.ts';
import { signUpForms } from './sign-up-forms.ts';
import { start } from './start.ts';
import { statistics } from './statistics.ts';
import { dataRequests } from './data-requests.ts';
import { storage } from './storage.ts';
import { suppressions } from './suppressions.ts';
import { templates } from './templates.ts';
import { topics } from './topics.ts';
import { emailPicture, previewEmail, touchpoints } from './touchpoints.ts';
import { transports } from './transports.ts';
import { websites } from './websites.ts';

/**
 * Every operation of the HTTP API under `/api`, declared once. Server, web client and OpenAPI document are derived from it.
 */
export const contract = {
  health,
  start,
  me,
  organizations,
  members,
  organizationRoles,
  invitations,
  apiKeys,
  auditLog,
  reference,
  help,
  editedHelp,
  clients,
  brands,
  topics,
  clientsBrands,
  campaigns: {
    ...campaigns,
    ...campaignDomains,
    startGraph: campaignGraph.start,
    rehearseGraph: campaignGraph.rehearse,
  },
  campaignsTouchpoints,
  touchpoints: { create: createTouchpoint, ...touchpoints },
  emails: { picture: emailPicture, preview: previewEmail, test: sendTestEmail },
  communicationPreferences,
  rpc: { createTouchpoint: createTouchpointRpc, getAvailableDomains, updateUserPassword },
  websites,
  touchpointEventTypes: { list: touchpointEventTypeList },
  touchpointEventActions: { list: touchpointEventActionList },
  touchpointEvents,
  reactions: eventReactions,
  sends,
  schedules,
  messages,
  domains,
  filters,
  templates,
  content,
  storage,
  contentBackend,
  transports,
  consent,
  suppressions,
  signUpForms,
  dataRequests,
  contacts,
  statistics,
  dashboard,
  mailbox,
  systemMailbox,
  jobs,
  operator,
};
export type Contract = typeof contract;
