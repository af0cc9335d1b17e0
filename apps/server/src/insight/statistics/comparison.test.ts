import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { EmailComparison } from '@reachout/contract/statistics.ts';
import type { MessageEvent } from '../../events/event.ts';
import { storeEvents } from '../../events/store-events.ts';
import { newId } from '../../platform/ids.ts';
import { foldAll } from '../../testing/fold.ts';
import { signInGuest } from '../../testing/actors.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { buildBrand, buildCampaign, buildTouchpoint } from '../../sample/records.ts';
import { buildOpen } from '../../testing/events.ts';
import { insertRows } from '../../sample/rows.ts';
import { updateRows } from '../../testing/rows.ts';
import { buildSentEmail, storeResults, type SentEmail } from '../../testing/sent-email.ts';

suite('comparison with the previous email', () => {
  const app = useSharedApp();
  let brand: Awaited<ReturnType<typeof buildBrand>>;
  let analyst: Person;
  before(async () => {
    brand = await buildBrand(app.owner);
    analyst = await app.signInMember(brand.organization_id, 'analyst');
  });

  const now = Date.now();
  const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000);

  const compare = async ({ touchpointId }: SentEmail, as = analyst) => {
    const path = `/api/content/${brand.organization_id}/reachout/touchpoint_emails/comparison?touchpoint=${touchpointId}`;
    return (await as.ok<{ data: EmailComparison | null }>('GET', path)).data;
  };

  /** Sends an email to four recipients, one of which bounces, `hours` ago. */
  const send = async (campaign_id: string, hours: number, subject: string): Promise<SentEmail> => {
    const touchpoint = await buildTouchpoint(app.owner, { campaign_id, name: subject, status: 'sent' });
    const addresses = ['ada', 'ben', 'cleo', 'dora'].map((name) => `${name}@example.org`);
    const sent = await buildSentEmail(app.owner, {
      touchpointId: touchpoint.id,
      addresses,
      snapshot: { subject },
    });
    const sentAt = hoursAgo(hours);
    await updateRows(app.owner, 'touchpoint_sends', { id: sent.sendId }, { send_date: sentAt.toISOString() });
    await updateRows(
      app.owner,
      'touchpoint_send_contents',
      { send_id: sent.sendId },
      { audience_name: `All for ${subject}` },
    );
    const of = { organization_id: sent.organizationId, send_id: sent.sendId };
    const at = new Date(sentAt.getTime() + 1_000).toISOString();
    await storeResults(app.owner, sent, ['sent', 'sent', 'sent', 'bounced'], () => at);
    await insertRows(app.owner, 'delivery_chunks', {
      ...of,
      first_seq: 1,
      last_seq: 4,
      marked_up_to: 4,
      lease_token: 1,
    });
    return sent;
  };
  const store = (sent: SentEmail, ...events: Partial<MessageEvent>[]) =>
    storeEvents(
      app.services.trackingPipelined,
      events.map((event) => ({ ...buildOpen(sent), ...event, id: newId() })),
    ).then(() => foldAll(app.owner));

  test('the previous email is compared at the same age', async () => {
    const campaign = await buildCampaign(app.owner, { brand_id: brand.id });
    const elsewhere = await buildCampaign(app.owner, { brand_id: brand.id });
    const first = await send(campaign.id, 240, 'Winter');
    const last = await send(elsewhere.id, 48, 'Offer');
    const current = await send(campaign.id, 3, 'Spring');
    await store(
      first,
      { seq: 1, at: hoursAgo(239) },
      { seq: 2, at: hoursAgo(238.5), isBot: true },
      // At an age that the later email has not reached.
      { seq: 3, at: hoursAgo(200) },
      { seq: 1, at: hoursAgo(200), type: 'CLICK', linkNo: 0 },
    );
    await store(current, { seq: 1, at: hoursAgo(2) }, { seq: 2, at: hoursAgo(1) });

    const compared = await compare(current);
    assert.ok(compared !== null && compared.previous !== null);
    assert.equal(compared.of_campaign, true);
    assert.ok(Math.abs(compared.age_seconds - 3 * 3_600) < 600, String(compared.age_seconds));
    const numbers = ({ recipients, delivered, bounced, opened, clicked }: EmailComparison['current']) => [
      recipients,
      delivered,
      bounced,
      opened,
      clicked,
    ];
    assert.deepEqual(numbers(compared.current), [4, 3, 1, 2, 0]);
    assert.deepEqual(numbers(compared.previous), [4, 3, 1, 1, 0]);
    assert.deepEqual(
      [compared.previous.subject, compared.previous.audience, compared.previous.touchpoint.name],
      ['Winter', 'All for Winter', 'Winter'],
    );

    // Both emails before it, at the age of three hours.
    assert.deepEqual(compared.recent, { emails: 2, delivered: 6, not_measured: 0, clicked: 0 });

    // The first email of a campaign is compared with the latest one of the brand.
    const offer = await compare(last);
    assert.deepEqual([offer?.of_campaign, offer?.previous?.subject], [false, 'Winter']);
    // An age of 48 hours: the open after 40 hours counts now, and the click.
    assert.deepEqual(offer?.previous && numbers(offer.previous), [4, 3, 1, 2, 1]);
    assert.deepEqual(offer?.recent, { emails: 1, delivered: 3, not_measured: 0, clicked: 1 });
    // The very first email has no previous one.
    const alone = await compare(first);
    assert.deepEqual([alone?.previous, alone?.recent], [null, null]);
  });

  test('deleted, test and inaccessible emails are not compared', async () => {
    const own = await buildBrand(app.owner, { client_id: brand.client_id });
    const other = await buildBrand(app.owner, { organization_id: brand.organization_id });
    const campaign = await buildCampaign(app.owner, { brand_id: own.id });
    await send((await buildCampaign(app.owner, { brand_id: other.id })).id, 30, 'Of another brand');
    const gone = await send(campaign.id, 20, 'Deleted');
    const tested = await send(campaign.id, 10, 'Test');
    const current = await send(campaign.id, 1, 'Current');
    await updateRows(app.owner, 'touchpoints', { id: gone.touchpointId }, { deleted: true });
    await updateRows(app.owner, 'touchpoint_sends', { id: tested.sendId }, { kind: 'test' });
    const guest = await signInGuest(app, brand.organization_id, [brand.client_id]);
    for (const as of [analyst, guest]) assert.equal((await compare(current, as))?.previous, null);
    // An email that has not been sent has no comparison.
    assert.equal(await compare(tested), null);
  });
});
