import { common } from './common.ts';
import { shell } from './shell.ts';
import { auth } from './auth.ts';
import { organizations } from './organizations.ts';
import { dashboard } from './dashboard.ts';
import { clients } from './clients.ts';
import { campaigns } from './campaigns.ts';
import { touchpoints } from './touchpoints.ts';
import { templates } from './templates.ts';
import { audiences } from './audiences.ts';
import { fields } from './fields.ts';
import { contactDetails } from './contact-details.ts';
import { mailbox } from './mailbox.ts';
import { invitations } from './invitations.ts';

/** What every screen behind sign-in may need. */
export const app = {
  common,
  shell,
  auth,
  organizations,
  dashboard,
  clients,
  campaigns,
  touchpoints,
  templates,
  audiences,
  fields,
  contactDetails,
  mailbox,
  invitations,
};
