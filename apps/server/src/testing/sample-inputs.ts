import type { Tenant } from './tenant.ts';

type Sample = (tenant: Tenant) => Record<string, unknown>;

const organization: Sample = (t) => ({ organization_id: t.organizationId });

/**
 * For every call of members an input that its owner may well give, naming as many other records as it can. Tests over
 * the contract go through these, and fail for a call without one.
 */
export const sampleInputs: Record<string, Sample> = {
  'organizations.get': (t) => ({ id: t.organizationId }),
  'organizations.update': (t) => ({ id: t.organizationId, name: 'Renamed' }),
  'organizations.delete': (t) => ({ id: t.organizationId }),
  'organizations.permissions': (t) => ({ id: t.organizationId }),

  'clients.list': organization,
  'clients.create': (t) => ({ ...organization(t), name: 'New' }),
  'clients.get': (t) => ({ id: t.clientId }),
  'clients.update': (t) => ({ id: t.clientId, name: 'Renamed' }),
  'clients.delete': (t) => ({ id: t.clientId }),
  'clients.restore': (t) => ({ id: t.clientId }),

  'brands.list': (t) => ({ ...organization(t), client_id: t.clientId }),
  'brands.create': (t) => ({ ...organization(t), client_id: t.clientId, name: 'New' }),
  'brands.get': (t) => ({ id: t.brandId }),
  'brands.update': (t) => ({ id: t.brandId, name: 'Renamed' }),
  'brands.delete': (t) => ({ id: t.brandId }),
  'brands.restore': (t) => ({ id: t.brandId }),
  'clientsBrands.list': organization,

  'campaigns.list': (t) => ({ ...organization(t), brand_id: t.brandId }),
  'campaigns.recent': organization,
  'campaigns.create': (t) => ({ ...organization(t), brand_id: t.brandId, name: 'New' }),
  'campaigns.get': (t) => ({ id: t.campaignId }),
  'campaigns.update': (t) => ({ id: t.campaignId, name: 'Renamed' }),
  'campaigns.delete': (t) => ({ id: t.campaignId }),
  'campaigns.restore': (t) => ({ id: t.campaignId }),
  'campaignsTouchpoints.list': (t) => ({ ...organization(t), campaign_id: t.campaignId }),

  'touchpoints.recent': organization,
  'touchpoints.create': (t) => ({
    ...organization(t),
    campaign_id: t.campaignId,
    name: 'New',
    type: 'email',
  }),
  'touchpoints.get': (t) => ({ id: t.touchpointId }),
  'touchpoints.update': (t) => ({ id: t.touchpointId, name: 'Renamed' }),
  'touchpoints.delete': (t) => ({ id: t.touchpointId }),
  'touchpoints.restore': (t) => ({ id: t.touchpointId }),
  'touchpoints.getEmail': (t) => ({ id: t.touchpointId }),
  'touchpoints.updateEmail': (t) => ({ id: t.touchpointId, filter_id: t.filterId, subject: 'Hello' }),
  'touchpoints.review': (t) => ({ id: t.touchpointId }),
  'emails.preview': (t) => ({ id: t.touchpointId, collectionItemId: t.itemId }),
  'rpc.createTouchpoint': (t) => ({
    ...organization(t),
    campaign_id: t.campaignId,
    name: 'New',
    type: 'email',
  }),

  'sends.start': (t) => ({ id: t.touchpointId }),
  'sends.listOfTouchpoint': (t) => ({ id: t.touchpointId }),
  'sends.recent': organization,
  'sends.get': (t) => ({ id: t.sendId }),
  'sends.progress': (t) => ({ id: t.sendId }),
  'sends.deliveries': (t) => ({ id: t.sendId }),
  'sends.pause': (t) => ({ id: t.sendId }),
  'sends.resume': (t) => ({ id: t.sendId }),
  'sends.cancel': (t) => ({ id: t.sendId }),
  'sends.resolveUncertain': (t) => ({ id: t.sendId, decision: 'retry' }),

  'filters.list': (t) => ({ ...organization(t), brand_id: t.brandId }),
  'filters.create': (t) => ({
    ...organization(t),
    brand_id: t.brandId,
    name: 'New',
    collection: t.collection,
    field_mapping: { email: 'email', unsubscribed: null },
  }),
  'filters.get': (t) => ({ id: t.filterId }),
  'filters.update': (t) => ({ id: t.filterId, brand_id: t.brandId, name: 'Renamed' }),
  'filters.delete': (t) => ({ id: t.filterId }),
  'filters.count': (t) => ({
    ...organization(t),
    brand_id: t.brandId,
    collection: t.collection,
    field_mapping: { email: 'email', unsubscribed: null },
  }),

  'templates.list': organization,
  'templates.create': (t) => ({ ...organization(t), title: 'New' }),
  'templates.get': (t) => ({ ...organization(t), id: t.templateId }),
  'templates.update': (t) => ({ ...organization(t), id: t.templateId, title: 'Renamed' }),
  'templates.delete': (t) => ({ ...organization(t), id: t.templateId }),
  'templates.preview': (t) => ({
    ...organization(t),
    mjml: '<mjml><mj-body></mj-body></mjml>',
    contact_id: t.itemId,
  }),

  'content.collections': organization,
  'content.fields': (t) => ({ ...organization(t), collection: t.collection }),
  'content.items': (t) => ({ ...organization(t), collection: t.collection }),
  'content.createItem': (t) => ({
    ...organization(t),
    collection: t.collection,
    data: { email: 'grace@hopper.example' },
  }),
  'content.item': (t) => ({ ...organization(t), collection: t.collection, key: t.itemId }),
  'content.updateItem': (t) => ({
    ...organization(t),
    collection: t.collection,
    key: t.itemId,
    data: { email: 'grace@hopper.example' },
  }),
  'content.deleteItem': (t) => ({ ...organization(t), collection: t.collection, key: t.itemId }),
  'content.imports': organization,
  'content.getImport': (t) => ({ ...organization(t), id: t.importId }),

  'statistics.emailStats': (t) => ({ ...organization(t), touchpoint: t.touchpointId, send: t.sendId }),
  'statistics.emailChart': (t) => ({ ...organization(t), touchpoint: t.touchpointId, send: t.sendId }),
  'statistics.emailLinks': (t) => ({ ...organization(t), touchpoint: t.touchpointId, send: t.sendId }),
  'statistics.emailEvents': (t) => ({ ...organization(t), touchpoint: t.touchpointId, send: t.sendId }),

  'mailbox.list': (t) => ({ ...organization(t), send_id: t.sendId }),
  'mailbox.get': (t) => ({ id: t.messageId }),
};
