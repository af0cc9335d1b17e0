import { toBrandContext } from '../../clients/brands/brand-kit.ts';
import { compileEmail } from '../../email/templates/compile-email.ts';
import type { EmailContent, EmailSnapshot } from '../../email/email-content.ts';
import { toContext } from '../../outreach/channels/email/plan-email.ts';
import { demoMjml } from './demo-mjml.ts';
import type { EquippedBrand, Place } from './make-records.ts';
import type { PlannedEmail } from './plan-emails.ts';
import type { BrandKey } from './story/story.ts';

export type DemoBrands = Readonly<Record<BrandKey, EquippedBrand>>;

/** An email that has a place in the database. */
export interface PlacedEmail extends PlannedEmail {
  touchpointId: string;
  campaignId: string;
}

/** What the author of an email has entered, beside its template. */
export const contentOf = (brands: DemoBrands, { brand, subject, topic }: PlacedEmail) => {
  const { from_name, from_email, reply_to } = brands[brand].kit;
  return { subject, preheader: topic[1], from_name, from_email, reply_to };
};

/** The content of each email that has a send, as it is fixed when it is confirmed. */
export async function compileEmails(
  { story, organizationId, userId, publicUrl }: Place,
  brands: DemoBrands,
  emails: readonly PlacedEmail[],
): Promise<ReadonlyMap<string, EmailSnapshot>> {
  const organization = { id: organizationId, name: story.organization };
  const compile = async (email: PlacedEmail) => {
    const { kit } = brands[email.brand];
    const mjml = demoMjml(story, email.brand, [email.subject, email.topic[1]], publicUrl);
    const content: EmailContent = { ...contentOf(brands, email), mjml };
    const touchpoint = {
      id: email.touchpointId,
      name: email.name,
      campaign_id: email.campaignId,
      campaign_name: email.campaign,
      client_id: kit.client_id,
      client_name: kit.client.name,
    };
    const context = { ...toContext(touchpoint, organization), brand: toBrandContext(kit, publicUrl) };
    const compiled = await compileEmail(content, context, organizationId, userId);
    if (!compiled.ok) throw new Error(`An email of the demo cannot be compiled: ${email.name}`);
    return compiled.snapshot;
  };
  const snapshots = new Map<string, EmailSnapshot>();
  for (const email of emails)
    if (email.fate !== 'draft') snapshots.set(email.touchpointId, await compile(email));
  return snapshots;
}
