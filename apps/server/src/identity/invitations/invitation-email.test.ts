import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Invitation } from '@reachout/contract/invitations.ts';
import { withoutLinks, type AccountEmailJob } from '../account-email/account-email.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { updateRows } from '../../testing/rows.ts';
import { buildOrganization } from '../../sample/records.ts';
import { composeInvitation } from './invitation-email.ts';
import { mailProof } from './invitation.ts';

suite('invitation emails', () => {
  const app = useTestApp({ publicUrl: 'https://reachout.example' });
  let id: string;
  let owner: Person;

  before(async () => {
    ({ id } = await buildOrganization(app.owner, { name: 'Agentur Nordwind' }));
    owner = await app.signInMember(id);
    owner.headers['origin'] = 'https://reachout.example';
    await updateRows(app.owner, 'users', { id: owner.userId }, { full_name: 'Ada Lovelace' });
  });

  const invite = async (email: string, language = 'en') => {
    const body = await app.ok<{ items: Invitation[] }>('POST', '/api/organizations/invitations/create', {
      body: { organization_id: id, emails: [email], role: 'analyst', language },
      as: owner,
    });
    return body.items[0]!;
  };
  const compose = async (recipient: string, changes: Partial<AccountEmailJob> = {}) => {
    const job = await app.owner
      .selectFrom('account_email_outbox')
      .select(['id', 'kind', 'recipient', 'language', 'payload'])
      .where('recipient', '=', recipient)
      .$castTo<AccountEmailJob>()
      .executeTakeFirstOrThrow();
    const { authDb: db, secrets, config } = app.services;
    return await composeInvitation({ db, secrets, publicUrl: config.publicUrl }, { ...job, ...changes });
  };

  test('the email names inviter and organization in the chosen language', async () => {
    const { url } = await invite('grace@hopper.example');
    const mailed = (shown: string | null) => {
      const token = shown?.split('/').at(-1) ?? '';
      return `${shown}?proof=${mailProof(app.services.secrets, token)}`;
    };
    const mail = await compose('grace@hopper.example');
    assert.equal(mail?.subject, 'Invitation to Agentur Nordwind on Reachout');
    assert.equal(mail.paragraphs[0], 'Ada Lovelace invites you to join Agentur Nordwind on Reachout.');
    // Only the emailed link proves control of the address: inviters see a different link.
    assert.deepEqual(mail.button, { label: 'View invitation', url: mailed(url) });
    assert.match(url ?? '', /^https:\/\/reachout\.example\/invitation\/[\w-]{32}$/);
    const german = await invite('konrad@zuse.example', 'de');
    await updateRows(
      app.owner,
      'organization_invitations',
      { organization_id: id },
      { expires_at: '2126-11-28T23:40:00.000Z' },
    );
    const [until] = (await compose('grace@hopper.example'))?.notes ?? [];
    assert.equal(until, 'This invitation expires on November 28, 2126 at 11:40 PM UTC and works once.');
    const inGerman = await compose('konrad@zuse.example');
    assert.equal(
      inGerman?.paragraphs[0],
      'Ada Lovelace lädt Sie ein, bei Agentur Nordwind in Reachout mitzuarbeiten.',
    );
    assert.equal(inGerman.button?.url, mailed(german.url));
    assert.match(inGerman.notes[0] ?? '', /am 28\. November 2126 um 23:40 UTC ab/);
  });

  test('invalid and foreign invitations send no email (TEN-11)', async () => {
    const { id: invitationId } = await invite('late@hopper.example');
    assert.notEqual(await compose('late@hopper.example'), undefined);
    const invitation = app.owner.updateTable('organization_invitations').where('id', '=', invitationId);
    const organization = app.owner.updateTable('organizations').where('id', '=', id);
    await invitation.set({ expires_at: new Date().toISOString() }).execute();
    assert.equal(await compose('late@hopper.example'), undefined, 'expired');
    await invitation.set({ expires_at: new Date(Date.now() + 60_000).toISOString() }).execute();
    await organization.set({ deleted: true }).execute();
    assert.equal(await compose('late@hopper.example'), undefined, 'organization deleted');
    await organization.set({ deleted: false }).execute();
    assert.notEqual(await compose('late@hopper.example'), undefined);
    for (const payload of [{}, { organization_id: id }, { organization_id: "' or true", invitation_id: 'x' }])
      assert.equal(await compose('late@hopper.example', { payload }), undefined);
    const foreign = await buildOrganization(app.owner);
    const swapped = { organization_id: foreign.id, invitation_id: invitationId };
    assert.equal(await compose('late@hopper.example', { payload: swapped }), undefined, 'swapped');
    assert.equal(await compose('late@hopper.example', { recipient: 'eve@hopper.example' }), undefined);
    await owner.request('DELETE', `/api/organizations/${id}/invitations/${invitationId}`);
    assert.equal(await compose('late@hopper.example'), undefined, 'cancelled');
  });

  test('names of senders cannot add links (RATE-2)', async () => {
    const names = [
      'Win at https://evil.example/prize',
      'HTTP://evil.example',
      'www.evil.example',
      'evil.example',
      'evil。example',
      'evil．example',
      'mailto:eve@evil.example',
      'eve@evil.example',
      '//evil.example/x',
    ];
    for (const name of names) {
      const shown = withoutLinks(name);
      assert.doesNotMatch(shown, /:\/\/|[a-z][.。．][a-z]|@|mailto:/i, name);
    }
    for (const name of ['Nordwind GmbH & Co. KG', 'J. R. Hartley', 'Étoile – 24/7'])
      assert.equal(withoutLinks(name), name);
    await updateRows(app.owner, 'organizations', { id }, { name: 'https://evil.example' });
    await updateRows(app.owner, 'users', { id: owner.userId }, { full_name: 'See evil.example' });
    const { url } = await invite('link@hopper.example');
    const mail = await compose('link@hopper.example');
    assert.ok(mail?.button?.url.startsWith(`${url}?`));
    assert.doesNotMatch(JSON.stringify({ ...mail, button: undefined }), /evil\.example|https?:/);
  });
});
