import { common } from './common.ts';
import { shell } from './shell.ts';
import { session } from './session.ts';
import { organizations } from './organizations.ts';
import { dashboard } from './dashboard.ts';
import { clients } from './clients.ts';
import { campaigns } from './campaigns.ts';
import { touchpoints } from './touchpoints.ts';
import { sends } from './sends.ts';
import { statistics } from './statistics.ts';
import { templates } from './templates.ts';
import { audiences } from './audiences.ts';
import { collections } from './collections.ts';
import { addressBook } from './address-book.ts';
import { settings } from './settings.ts';
import { mailbox } from './mailbox.ts';
import { me } from './me.ts';
import { invitations } from './invitations.ts';

export const de = {
  common,
  shell,
  session,
  organizations,
  dashboard,
  clients,
  campaigns,
  touchpoints,
  sends,
  statistics,
  templates,
  audiences,
  collections,
  addressBook,
  settings,
  mailbox,
  me,
  invitations,
};
