import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { Item } from '@reachout/contract/content.ts';
import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import { createTestApp, type Person } from '../../testing/app.ts';
import { buildBrand, buildClient } from '../../sample/records.ts';
import { createOrganization } from '../../testing/create-organization.ts';
import { runJobs } from '../../testing/job-worker.ts';
import { openRemoteContacts } from '../../testing/remote-contacts.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { causeSignUp } from '../../events/sign-up-causes.ts';
import { useOpened } from '../../testing/use-made.ts';
import { signUpContactJobs, toConfirmationToken } from './confirm-sign-up.ts';
import { handleSignUpContacts } from './contact-jobs.ts';

suite('contacts of sign-ups', () => {
  let owner: Person;

  const app = useOpened(() => createTestApp({ privateHosts: ['127.0.0.1'] }));
  const remote = useOpened(() => openRemoteContacts());
  before(async () => {
    owner = await app.signIn();
  });

  const createForm = async (organizationId: string): Promise<SignUpForm> => {
    const client = await buildClient(app.owner, { organization_id: organizationId });
    const brand = await buildBrand(app.owner, { client_id: client.id });
    return await owner.ok<SignUpForm>('POST', '/api/sign_up_forms', {
      organization_id: organizationId,
      brand_id: brand.id,
      name: 'Footer',
      collection: 'contacts',
      fields: [{ name: 'first_name', label: 'First name' }],
      language: 'en',
      title: 'Our letter',
      consent_text: 'I want letters.',
    });
  };
  const post = (url: string, form: Record<string, string> = {}) =>
    app.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    });
  const request = async ({ url, id, organization_id }: SignUpForm, email: string, firstName = '') => {
    await post(new URL(url).pathname, { email, field_first_name: firstName });
    const rows = await listRows(app.owner, 'sign_ups', ['id'], { form_id: id, address: email });
    return { organizationId: organization_id, id: rows[0]!.id };
  };
  const confirm = async (place: { organizationId: string; id: string }) => {
    const { statusCode, body } = await post(`/f/confirm/${toConfirmationToken(app.services.secrets, place)}`);
    assert.equal(statusCode, 200, body);
  };
  const runContacts = () => {
    const { trackingDb: db, outbound, secrets } = app.services;
    return runJobs(app, app.owner, [handleSignUpContacts({ db, outbound, secrets, onWritten: causeSignUp })]);
  };
  const failuresOf = async ({ id }: SignUpForm) => {
    const body = await owner.ok<SignUpForm>('GET', `/api/sign_up_forms/${id}`);
    return [body.confirmed_count, body.unwritten_count, body.failed_count, body.error_content !== null];
  };

  test('a Directus gets the contact after the confirmation, also after failures', async () => {
    const organizationId = await createOrganization(app, owner);
    await remote.connect(app, organizationId, owner);
    // Lists its collections.
    await owner.request('GET', `/api/content/${organizationId}/collections`);
    const form = await createForm(organizationId);
    const there = async () => {
      const rows = await listRows(remote.owner, 'content_items', ['data'], { collection: 'contacts' });
      return rows
        .map(({ data }) => data as { email: string; first_name: string })
        .map(({ email, first_name: firstName }) => `${email} ${firstName}`);
    };
    await confirm(await request(form, 'ada@people.example', 'Ada'));
    assert.deepEqual(await there(), [], 'not in the transaction');

    remote.isUp = false;
    await runContacts();
    assert.deepEqual(await failuresOf(form), [1, 1, 0, true]);
    remote.isUp = true;
    await runContacts();
    assert.deepEqual(await there(), ['ada@people.example Ada']);
    assert.deepEqual(await failuresOf(form), [1, 0, 0, false]);

    await updateRows(app.owner, 'rate_limits', {}, { expire: 0 });
    await confirm(await request(form, 'ada@people.example', 'Mallory'));
    await runContacts();
    assert.deepEqual(await there(), ['ada@people.example Ada'], 'no second one, and nothing replaced');
  });

  test('what the built-in backend refuses is shown, and written later', async () => {
    const organizationId = await createOrganization(app, owner);
    const form = await createForm(organizationId);
    const require = (required: boolean) =>
      owner.request('PATCH', `/api/content/${organizationId}/fields/contacts/last_name`, { required });
    assert.equal((await require(true)).status, 200);
    await confirm(await request(form, 'ada@people.example'));
    assert.deepEqual(await failuresOf(form), [1, 1, 0, true]);
    await require(false);
    await runContacts();
    assert.deepEqual(await failuresOf(form), [1, 0, 0, false]);
    const rows = await listRows(app.owner, 'content_items', ['data'], { organization_id: organizationId });
    assert.deepEqual(
      rows.map(({ data }) => (data as Item)['email']),
      ['ada@people.example'],
    );
  });

  test('contacts that are not written again are counted as failed', async () => {
    const organizationId = await createOrganization(app, owner);
    const form = await createForm(organizationId);
    const path = `/api/content/${organizationId}/fields/contacts/last_name`;
    await owner.request('PATCH', path, { required: true });
    await confirm(await request(form, 'ada@people.example'));
    const job = { organization_id: organizationId, kind: signUpContactJobs.name };
    await updateRows(app.owner, 'jobs', job, { attempts: 29 });
    await runContacts();
    assert.deepEqual(await failuresOf(form), [1, 1, 1, true]);
  });

  test('a contact with a Unicode domain is found', async () => {
    const organizationId = await createOrganization(app, owner);
    const form = await createForm(organizationId);
    await owner.ok('POST', `/api/content/${organizationId}/items/contacts`, { email: 'ida@bücher.example' });
    await confirm(await request(form, 'ida@xn--bcher-kva.example'));
    const rows = await listRows(app.owner, 'content_items', ['data'], { organization_id: organizationId });
    assert.deepEqual(
      rows.map(({ data }) => (data as Item)['email']),
      ['ida@bücher.example'],
    );
  });

  test('spellings of a Gmail address are counted as one', async () => {
    const form = await createForm(await createOrganization(app, owner));
    for (const email of ['ad.a@gmail.com', 'ada@gmail.com', 'A.DA+x@googlemail.com'])
      assert.equal((await post(new URL(form.url).pathname, { email })).statusCode, 200);
    const rows = await listRows(app.owner, 'sign_ups', ['address'], { form_id: form.id });
    assert.deepEqual(rows, [{ address: 'ad.a@gmail.com' }]);
  });

  test('the proof of an impossible key is not found', async () => {
    const organizationId = await createOrganization(app, owner);
    for (const key of ['a%0Ab', 'x'.repeat(256)]) {
      const path = `/api/content/${organizationId}/consent/contacts/${key}/sign_ups/export`;
      assert.equal((await owner.request('GET', path)).status, 404);
    }
  });

  test('sign-ups that nobody confirms are deleted after 30 days', async () => {
    const form = await createForm(await createOrganization(app, owner));
    const unconfirmed = await request(form, 'grace@people.example');
    const confirmed = await request(form, 'konrad@people.example');
    await confirm(confirmed);
    const deleteAt = async (days: number) => {
      const requested_at = new Date(Date.now() - days * 86_400_000).toISOString();
      await updateRows(app.owner, 'sign_ups', { form_id: form.id }, { requested_at });
      await sql`select delete_expired('sign_ups', 100)`.execute(app.services.authDb);
      const rows = await listRows(app.owner, 'sign_ups', ['id'], { form_id: form.id });
      return rows.map(({ id }) => id).toSorted();
    };
    assert.deepEqual(await deleteAt(29), [unconfirmed.id, confirmed.id].toSorted());
    assert.deepEqual(await deleteAt(31), [confirmed.id]);
  });
});
