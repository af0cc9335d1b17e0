import { campaigns } from './campaigns.ts';
import { clients } from './clients.ts';
import { lists } from './lists.ts';
import { touchpoints } from './touchpoints.ts';
import { templates } from './templates.ts';
import { audiences } from './audiences.ts';
import { delivery } from './delivery.ts';
import { fields } from './fields.ts';
import { contactDetails } from './contact-details.ts';
import { mailbox } from './mailbox.ts';
import { invitations } from './invitations.ts';
import { palette } from './palette.ts';
import { problems } from './problems.ts';
import { receipt } from './receipt.ts';
import { sendPage } from './send-page.ts';
import { pageWords } from './page-words.ts';
import { sharedByPages } from './shared-by-pages.ts';
import { shortcuts } from './shortcuts.ts';

/** Texts for the other screens behind sign-in. */
export const pages = {
  common: { ...sharedByPages, words: pageWords },
  lists,
  clients,
  campaigns,
  touchpoints,
  templates,
  audiences,
  delivery,
  fields,
  contactDetails,
  mailbox,
  invitations,
  palette,
  problems,
  receipt,
  sendPage,
  shortcuts,
};
