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

/** Under load a compile may be given up for its time limit. */
const maxTries = 3;

/**
 * The content of each email that has a send, as it is fixed when it is confirmed. They are compiled one after the other, in
 * another process, while those before are stored.
 */
export function compileEmails(
  place: Place,
  brands: DemoBrands,
  emails: readonly PlacedEmail[],
): ReadonlyMap<string, Promise<EmailSnapshot>> {
  const snapshots = new Map<string, Promise<EmailSnapshot>>();
  let before: Promise<unknown> = Promise.resolve();
  for (const email of emails) {
    if (email.fate === 'draft') continue;
    const compiled = before.then(() => compile(place, brands, email));
    // It is awaited when its send is stored, where a failure is thrown; until then it must not end the process.
    compiled.catch(() => undefined);
    before = compiled;
    snapshots.set(email.touchpointId, compiled);
  }
  return snapshots;
}

async function compile(
  { story, organizationId, userId, publicUrl }: Place,
  brands: DemoBrands,
  email: PlacedEmail,
): Promise<EmailSnapshot> {
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
  const organization = { id: organizationId, name: story.organization };
  const context = { ...toContext(touchpoint, organization), brand: toBrandContext(kit, publicUrl) };
  for (let tries = 1; ; tries++) {
    const compiled = await compileEmail(content, context, organizationId, userId);
    if (compiled.ok) return compiled.snapshot;
    if (tries >= maxTries) throw new Error(`An email of the demo cannot be compiled: ${email.name}`);
  }
}
