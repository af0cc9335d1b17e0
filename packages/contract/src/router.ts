import { campaigns, campaignsTouchpoints } from './campaigns.ts';
import { brands, clients, clientsBrands } from './clients.ts';
import { content } from './content.ts';
import { filters } from './filters.ts';
import { health } from './health.ts';
import { mailbox } from './mailbox.ts';
import { me, organizations } from './organizations.ts';
import { sends } from './sends.ts';
import { statistics } from './statistics.ts';
import { templates } from './templates.ts';
import { createTouchpoint, previewEmail, touchpoints } from './touchpoints.ts';

/** Every call of the HTTP surface under `/api`, declared once. Server, web client and OpenAPI document come from it. */
export const contract = {
  health,
  me,
  organizations,
  clients,
  brands,
  clientsBrands,
  campaigns,
  campaignsTouchpoints,
  touchpoints,
  emails: { preview: previewEmail },
  rpc: { createTouchpoint },
  sends,
  filters,
  templates,
  content,
  statistics,
  mailbox,
};
export type Contract = typeof contract;
