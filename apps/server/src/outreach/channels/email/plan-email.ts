import type { Review } from '@reachout/contract/touchpoints.ts';
import { createHash } from 'node:crypto';
import { getBrandKit, toBrandContext, type BrandKit } from '../../../clients/brands/brand-kit.ts';
import type { Audience } from '../../../contacts/audiences/audience.ts';
import type { TagFields } from '../../../contacts/audiences/check-merge-tags.ts';
import {
  findContentSource,
  type ContentItems,
  type ContentSource,
} from '../../../content/gateway/content-items.ts';
import { findAudience, findCollectionOf, findTagFields } from '../../../contacts/audiences/find-audience.ts';
import type { EmailContent, EmailContext } from '../../../email/email-content.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { getOrganizationNames, getTouchpointEmail, type EmailRow } from './touchpoint-email.queries.ts';
import { getTouchpoint } from '../../touchpoints/touchpoint.queries.ts';
import type { TouchpointRow } from '../../touchpoints/touchpoint.ts';

/** Everything that a preview, a review and a send of an email need, in its current state. */
export interface EmailPlan {
  touchpoint: TouchpointRow;
  email: EmailRow;
  brand: BrandKit;
  /** Undefined until the body is written. */
  content: EmailContent | undefined;
  context: EmailContext;
  /** Undefined until an audience is chosen; a text says why the chosen one cannot be used. */
  audience: Audience | string | undefined;
  /** False if its contacts are outside the access scope of the caller. */
  showsContacts: boolean;
  /** Where its content items come from; undefined without a collection, and a text says why it cannot be used. */
  source: ContentSource | string | undefined;
  /** The collection of its contacts; until an audience is chosen, one that the brand can use. */
  collection: string;
  /** The fields of a contact that the email can read. */
  fields: TagFields;
}

/**
 * @param publicUrl  of this installation, without a slash at the end
 * @param itemId  replaces the content item of the email
 * @throws 404
 */
export async function planEmail(
  trx: Transaction,
  touchpointId: string,
  publicUrl: string,
  itemId?: string,
): Promise<EmailPlan> {
  const touchpoint = await getTouchpoint(trx, touchpointId);
  const stored = await getTouchpointEmail(trx, touchpointId);
  const email = itemId === undefined ? stored : { ...stored, item_id: itemId };
  const { organization_id, brand_id, collection: contents } = touchpoint;
  const brand = await getBrandKit(trx, brand_id);
  const { audience, showsContacts } =
    email.filter_id === null
      ? { audience: undefined, showsContacts: true }
      : await findAudience(trx, organization_id, email.filter_id, brand_id, email.topic_id);
  const collection =
    typeof audience === 'object'
      ? audience.collection
      : await findCollectionOf(trx, organization_id, brand_id);
  const { subject, preheader, from_name, from_email, reply_to, mjml, item_id, items_count } = email;
  return {
    touchpoint,
    email,
    content: mjml.trim() === '' ? undefined : { subject, preheader, from_name, from_email, reply_to, mjml },
    brand,
    context: {
      ...toContext(touchpoint, await getOrganizationNames(trx, organization_id)),
      brand: toBrandContext(brand, publicUrl),
    },
    audience,
    showsContacts,
    source:
      contents === null
        ? undefined
        : await findContentSource(trx, organization_id, {
            collection: contents,
            brandId: brand_id,
            itemId: item_id,
            count: items_count,
          }),
    collection,
    fields: await findTagFields(trx, organization_id, typeof audience === 'object' ? audience : collection),
  };
}

export const withItems = (context: EmailContext, { item, items }: ContentItems): EmailContext => ({
  ...context,
  item: item ?? {},
  items,
});

/**
 * Hash of what the recipients of an email get and by which rule they are chosen. It is the same for all callers who may read
 * the email, and for all kinds of sends.
 */
export function versionOf(
  { email: { updated_at: _at, filter, ...email }, brand, context, audience, source }: EmailPlan,
  reviewed: { contents: ContentItems; topic: Review['topic']; shared: Review['shared_contacts'] | undefined },
): string {
  const parts = { email, audienceName: filter?.name, brand, context, audience, source, ...reviewed };
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** The Liquid context that all messages of a send share, except the brand. Names only: nothing secret. */
export const toContext = (
  touchpoint: Pick<
    TouchpointRow,
    'id' | 'name' | 'campaign_id' | 'campaign_name' | 'client_id' | 'client_name'
  >,
  organization: { id: string; name: string },
): EmailContext => ({
  organization,
  client: { id: touchpoint.client_id, name: touchpoint.client_name },
  campaign: { id: touchpoint.campaign_id, name: touchpoint.campaign_name },
  touchpoint: { id: touchpoint.id, name: touchpoint.name },
  item: {},
  items: [],
});
