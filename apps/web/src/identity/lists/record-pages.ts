import { linkOptions } from '@tanstack/react-router';

/** The pages of records, by kind. */
export const recordPages = {
  audience: (orgId: string, audienceId: string) =>
    linkOptions({ to: '/o/$orgId/audiences/$audienceId', params: { orgId, audienceId } }),
  brand: (orgId: string, brandId: string) =>
    linkOptions({ to: '/o/$orgId/brands/$brandId', params: { orgId, brandId } }),
  campaign: (orgId: string, campaignId: string) =>
    linkOptions({ to: '/o/$orgId/campaigns/$campaignId', params: { orgId, campaignId } }),
  client: (orgId: string, clientId: string) =>
    linkOptions({ to: '/o/$orgId/clients/$clientId', params: { orgId, clientId } }),
  domain: (orgId: string, domainId: string) =>
    linkOptions({ to: '/o/$orgId/domains/$domainId', params: { orgId, domainId } }),
  signUpForm: (orgId: string, formId: string) =>
    linkOptions({ to: '/o/$orgId/sign-up-forms/$formId', params: { orgId, formId } }),
  template: (orgId: string, templateId: string) =>
    linkOptions({ to: '/o/$orgId/templates/$templateId', params: { orgId, templateId } }),
  touchpoint: (orgId: string, touchpointId: string) =>
    linkOptions({ to: '/o/$orgId/touchpoints/$touchpointId', params: { orgId, touchpointId } }),
};

export type RecordPage = (orgId: string, id: string) => { to: string; params: object };
