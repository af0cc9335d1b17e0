import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildReadyEmail } from '../../testing/ready-email.ts';
import { deleteRows } from '../../testing/rows.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';

suite('contact counts', () => {
  const app = useSharedApp();

  test('contact counts require read access to contacts (TEN-9)', async () => {
    const email = await buildReadyEmail(app);
    const { organizationId: organization_id, filterId, touchpointId, person } = email;
    const withKey = async (scopes: string[]) => {
      const body = await person.ok<{ secret: string }>(
        'POST',
        `/api/organizations/${organization_id}/api_keys`,
        { name: scopes.join(' '), scopes },
      );
      return { headers: { authorization: `Bearer ${body.secret}` } };
    };
    const rules = ['Organization', 'Campaign', 'Touchpoint', 'Filter'].map((subject) => ({
      action: 'manage',
      subject,
    }));
    const campaigns = ['campaigns:read', 'campaigns:write'];
    const blind = [await withKey(campaigns), { as: await signInWithRules(app, organization_id, rules) }];
    const seeing = [await withKey([...campaigns, 'content:read']), { as: person }];
    const rule = { first_name: { _eq: 'Person 1' } };
    const ask = {
      create: (who: object, name: string) =>
        app.request('POST', '/api/filters', { body: { organization_id, name, rule }, ...who }),
      update: (who: object) => app.request('PATCH', `/api/filters/${filterId}`, { body: { rule }, ...who }),
      review: async (who: object) =>
        await app.ok<Review>('GET', `/api/touchpoints/${touchpointId}/review`, who),
    };
    const audienceOf = ({ checks }: Review) => {
      const { level, message, problems } = checks.find(({ check }) => check === 'audience')!;
      return { level, message, problems };
    };
    const fine = { level: 'fine', message: null, problems: [] };
    for (const who of blind) {
      for (const refused of [await ask.create(who, 'Blind'), await ask.update(who)]) {
        assertProblem(refused, 403, 'forbidden');
        assert.deepEqual((refused.body as { data?: unknown }).data, { action: 'read', subject: 'Content' });
      }
      const review = await ask.review(who);
      assert.deepEqual([review.audience_breakdown, audienceOf(review)], [null, fine]);
    }
    for (const [index, who] of seeing.entries()) {
      assert.equal((await ask.create(who, `Seeing ${index}`)).status, 200);
      assert.equal((await ask.update(who)).status, 200);
      assert.equal((await ask.review(who)).audience_breakdown?.will_receive, 1);
    }

    // It does not disclose whether there are any contacts, either.
    await deleteRows(app.owner, 'content_items', { organization_id, collection: 'contacts' });
    for (const who of blind) assert.deepEqual(audienceOf(await ask.review(who)), fine);
    for (const who of seeing) assert.equal(audienceOf(await ask.review(who)).level, 'block');
  });
});
