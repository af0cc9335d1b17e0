import { findTopicOf } from '../../../clients/brands/topics.ts';
import { isDeepStrictEqual } from 'node:util';
import { defaultSender, getBrandKit } from '../../../clients/brands/brand-kit.ts';
import { findSharedContacts } from '../../../contacts/audiences/find-audience.ts';
import { listCountedTests } from '../../../contacts/audiences/check-merge-tags.ts';
import { backendAccessOf } from '../../../contacts/audiences/find-contact.ts';
import { readBuiltInItems } from '../../../content/gateway/content-items.ts';
import { compileEmail } from '../../../email/templates/compile-email.ts';
import { findSenderProblem } from '../../../email/transports/sender-policy.ts';
import { findDailyUse } from '../../../ledger/daily-limit.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { isPlanned } from '../../touchpoints/touchpoint.queries.ts';
import type { Channel, ReviewOptions } from '../channel.ts';
import { listActiveHosts } from '../website/touchpoint-website.queries.ts';
import { countAsWritten } from './as-written.ts';
import { findItemProblems, loadItems } from './check-items.ts';
import { copyEmail } from './change-email.ts';
import { countRecipients } from './count-recipients.ts';
import { findLastTest } from './last-test.ts';
import { planEmail, versionOf, withItems, type EmailPlan } from './plan-email.ts';
import { findQuietEnd } from './quiet-hours.ts';
import { isBlocked, reviewEmail } from './review-email.ts';
import {
  findAudienceName,
  insertTouchpointEmail,
  updateTouchpointEmail,
} from './touchpoint-email.queries.ts';
import { tryEmail } from './try-email.ts';

/** A message to each contact of an audience. */
export const email: Channel = {
  async create(trx, { id, organization_id, brand_id }) {
    const sender = defaultSender(await getBrandKit(trx, brand_id));
    await insertTouchpointEmail(trx, { id: newId(), organization_id, touchpoint_id: id, ...sender });
  },

  copy: copyEmail,

  releaseItems: (trx, touchpointId) => updateTouchpointEmail(trx, touchpointId, { item_id: null }),

  async review(touchpointId, options) {
    const { userId, transaction, content: deps, publicUrl, itemId, kind, counts } = options;
    const hasAudience = kind === 'campaign';
    const { plan, isWaiting, policy, dailyUse, named, topic, shared, test, hosts } = await transaction(
      (trx) => readForReview(trx, touchpointId, options),
    );
    const { touchpoint, content, source } = plan;
    const { organization_id: organizationId } = touchpoint;
    const access = backendAccessOf(deps, { organizationId, transaction });
    const contents = await loadItems(access, source);
    const context = withItems(plan.context, contents);
    const compiled = content && (await compileEmail(content, context, organizationId, userId));
    const tests =
      compiled === undefined || counts !== 'recipients_and_tags' ? [] : listCountedTests(compiled.tags);
    const recipients = !hasAudience
      ? 'none'
      : counts === 'nothing' || !plan.showsContacts
        ? 'hidden'
        : await countRecipients({ transaction, content: deps }, plan, tests);
    const trial =
      compiled?.ok === true && counts === 'recipients_and_tags' && typeof recipients === 'object'
        ? await tryEmail(
            { transaction, userId },
            plan,
            compiled.snapshot,
            recipients.breakdown?.will_receive ?? 0,
          )
        : [];
    const items = compiled && findItemProblems(plan, contents, compiled.tags);
    const quietUntil = hasAudience && !isWaiting ? findQuietEnd(plan.brand, new Date()) : undefined;
    const asWritten = compiled?.ok === true ? countAsWritten(compiled.snapshot.links, hosts) : 0;
    const checks = reviewEmail(plan, compiled, {
      items,
      recipients,
      shared: hasAudience ? shared : undefined,
      policy,
      dailyUse,
      test,
      trial,
      quietUntil,
      hosts,
      asWritten,
    });
    const { subject, from_name, from_email } = plan.email;
    const audience = typeof plan.audience === 'object' ? plan.audience : null;
    const isReady = compiled?.ok === true && !isBlocked(checks) && (audience !== null || !hasAudience);
    return {
      touchpoint,
      review: {
        version: versionOf(plan, { contents, topic, shared }),
        updated_at: plan.email.updated_at,
        checks,
        audience_breakdown: (typeof recipients === 'object' ? recipients.breakdown : undefined) ?? null,
        not_measured: (typeof recipients === 'object' ? recipients.notMeasured : undefined) ?? null,
        links_as_written: asWritten,
        audience_reading: (typeof recipients === 'object' ? recipients.reading : undefined) ?? null,
        audience: named ?? null,
        topic,
        shared_contacts: (hasAudience ? shared : undefined) ?? null,
        test: test ?? null,
        subject,
        from: { name: from_name, email: from_email },
        sender_problem: (from_email === '' ? undefined : findSenderProblem(from_email, policy)) ?? null,
        daily_limit: dailyUse === undefined ? null : { limit: dailyUse.limit, used: dailyUse.used },
        quiet_until: quietUntil?.at ?? null,
        transport: policy.own !== undefined ? 'own' : policy.transport === 'mailbox' ? 'mailbox' : 'smtp',
        transport_name: policy.own?.name ?? null,
      },
      message: isReady
        ? { content: compiled.snapshot, itemId: plan.email.item_id, topicId: plan.email.topic_id, audience }
        : undefined,
      isCurrent: async (trx) => {
        const now = await planEmail(trx, touchpointId, publicUrl, itemId);
        if (!isDeepStrictEqual(withoutStates(now), withoutStates(plan))) return false;
        // No transaction waits for a Directus: its items are sent as they were reviewed.
        if (typeof source !== 'object' || source.endpoint !== null || contents.problem !== undefined)
          return true;
        const { item, items: listed } = await readBuiltInItems(trx, organizationId, source);
        return isDeepStrictEqual({ item, items: listed }, { item: contents.item, items: contents.items });
      },
    };
  },

  async findAudience(trx, touchpointId, publicUrl) {
    const { audience, showsContacts, brand } = await planEmail(trx, touchpointId, publicUrl);
    return { audience: typeof audience === 'object' ? audience : undefined, showsContacts, brand };
  },

  countedEvents: ['SEND_EMAIL', 'OPEN_EMAIL', 'CLICK', 'VISIT', 'BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE'],
};

/** What is stored of an email and of what a review of it depends on. */
async function readForReview(
  trx: Transaction,
  touchpointId: string,
  { userId, policies, publicUrl, itemId, kind }: ReviewOptions,
) {
  const plan = await planEmail(trx, touchpointId, publicUrl, itemId);
  const { organization_id: organizationId, client_id, campaign_id, brand_id } = plan.touchpoint;
  const policy = await policies.of(trx, { organizationId, brandId: brand_id, campaignId: campaign_id });
  const isWaiting = kind === 'campaign' && (await isPlanned(trx, touchpointId));
  return {
    plan,
    isWaiting,
    policy,
    shared:
      typeof plan.audience === 'object' ? await findSharedContacts(trx, plan.audience, client_id) : undefined,
    named: kind === 'campaign' ? await findAudienceName(trx, plan.email.filter_id) : undefined,
    topic: await findTopicOf(trx, organizationId, plan.email.topic_id),
    test: await findLastTest(trx, plan),
    hosts: new Set(await listActiveHosts(trx, organizationId)),
    // The use has the recipients of a confirmed send already. What confirms it again reserves the others.
    dailyUse:
      kind === 'test' || isWaiting ? undefined : await findDailyUse(trx, { organizationId, userId }, policy),
  };
}

/**
 * Ignores what changes independently and does not affect what is sent: whether the copy of the touchpoint could be written,
 * its schedules, and the states of its parents.
 */
const withoutStates = ({ touchpoint, ...plan }: EmailPlan) => ({
  ...plan,
  touchpoint: {
    ...touchpoint,
    error_content: null,
    schedules: [],
    campaign_status: null,
    organization: null,
  },
});
