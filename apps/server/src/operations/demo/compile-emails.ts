import { toBrandContext } from '../../clients/brands/brand-kit.ts';
import { compileEmail } from '../../email/templates/compile-email.ts';
import type { EmailContent, EmailSnapshot } from '../../email/email-content.ts';
import { toContext } from '../../outreach/channels/email/plan-email.ts';
import { demoMjml } from './demo-mjml.ts';
import type { EquippedBrand, Place } from './make-records.ts';
import type { PlannedEmail } from './plan-emails.ts';
import type { BrandKey } from './story/story.ts';

export type DemoBrands = Readonly<Record<BrandKey, EquippedBrand>>;

/** A planned email with its ids in the database. */
export interface PlacedEmail extends PlannedEmail {
  touchpointId: string;
  campaignId: string;
}

export const contentOf = (
  { story, publicUrl }: Place,
  brands: DemoBrands,
  { brand, subject, topic }: PlacedEmail,
): EmailContent => {
  const { from_name, from_email, reply_to } = brands[brand].kit;
  const mjml = demoMjml(story, brand, [subject, topic[1]], publicUrl);
  return { subject, preheader: topic[1], from_name, from_email, reply_to, mjml };
};

/** Under load, a compile may exceed its time limit and is retried. */
const maxTries = 3;

/**
 * Compiles the snapshot of each email that has a send to an audience, as on confirmation. Compiles sequentially in another process while
 * earlier emails are being stored.
 */
export function compileEmails(
  place: Place,
  brands: DemoBrands,
  emails: readonly PlacedEmail[],
): ReadonlyMap<string, Promise<EmailSnapshot>> {
  const snapshots = new Map<string, Promise<EmailSnapshot>>();
  let before: Promise<unknown> = Promise.resolve();
  for (const email of emails) {
    if (email.fate === 'draft' || email.fate === 'on_request') continue;
    const compiled = before.then(() => compile(place, brands, email));
    // It is awaited when its send is stored, which throws a failure; this prevents an unhandled rejection until then.
    compiled.catch(() => undefined);
    before = compiled;
    snapshots.set(email.touchpointId, compiled);
  }
  return snapshots;
}

async function compile(place: Place, brands: DemoBrands, email: PlacedEmail): Promise<EmailSnapshot> {
  const { kit } = brands[email.brand];
  const { story, organizationId, userId, publicUrl } = place;
  const content = contentOf(place, brands, email);
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
