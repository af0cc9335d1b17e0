import { createChallenge } from '../identity/auth/second-factor/passkey-challenge.ts';
import { newTotpSecret, totpKey } from '../identity/auth/second-factor/verify-code.ts';
import { newId } from '../platform/ids.ts';
import { makeKeyOf } from './actors.ts';
import type { Person, TestApp } from './app.ts';
import { buildMember } from '../sample/records.ts';
import { buildTotp, totpCode } from './totp.ts';
import { createPasskey } from './passkey.ts';
import { insertRows } from '../sample/rows.ts';
import { findRow, getRow, updateRows } from './rows.ts';
import { buildSentEmail } from './sent-email.ts';
import { buildTenant, type Tenant } from './tenant.ts';

interface Given {
  app: TestApp;
  tenant: Tenant;
  /** Undefined for an anonymous caller. */
  person: Person | undefined;
}

const nobodysId = '01900000-0000-7000-8000-000000000000';
const address = { line1: 'Am Markt 2', city: 'Jena', country_id: 'DE' };
const helpText = { en: { title: 'New', content: 'New.', is_draft: false }, de: null };
const password = 'horse battery staple 7';

const withAddress = async ({ app, person }: Given) => ({
  id: person === undefined ? nobodysId : await buildAddress(app, person.userId),
});
const withSocial = async ({ app, person }: Given) => ({
  id: person === undefined ? nobodysId : await buildSocial(app, person.userId),
});
const withShare = async ({ tenant }: Given) => ({
  organization_id: tenant.organizationId,
  id: tenant.shareId,
});
/** Invites this person to an organization in which they are not a member. */
const withInvitation = async ({ app, person }: Given) => {
  const { invitationId, invitationToken } = await buildTenant(app.owner);
  if (person !== undefined)
    await updateRows(
      app.owner,
      'organization_invitations',
      { id: invitationId },
      { email: (await emailOf(app, person.userId)).toLowerCase() },
    );
  return { token: invitationToken };
};

/** Adds an authenticator app for this person. The input is its current code. */
const withTotp =
  (isConfirmed: boolean) =>
  async ({ app, person }: Given) => {
    const secret = newTotpSecret();
    if (person !== undefined) await buildTotp(app.owner, person.userId, { secret, isConfirmed });
    return { code: totpCode(totpKey(secret)) };
  };

/** Sends a message. The input is its token for the recipient. */
const withMessage = async ({ app }: Given) => {
  const { touchpointId: id, sendNumber } = await buildSentEmail(app.owner);
  return { id, token: app.services.signer.sign({ sendNumber, seq: 1 }).unsubscribe };
};

const withPasskey = async ({ app, person }: Given) => ({
  id: person === undefined ? nobodysId : await buildPasskey(app, person.userId),
});

/** Valid inputs for all operations that are not for members and need input; complements sample-inputs.ts. */
export const personalInputs: Record<string, (given: Given) => Promise<Record<string, unknown>>> = {
  'me.update': async () => ({ full_name: 'Renamed' }),
  'me.changeEmail': async () => ({ email: `${newId()}@people.example` }),
  'me.addresses.create': async () => address,
  'me.addresses.update': async (given) => ({ ...(await withAddress(given)), city: 'Bonn' }),
  'me.addresses.delete': withAddress,
  'me.addresses.restore': withAddress,
  'me.socials.create': async () => ({ network: 'x', url: 'https://x.example/ada' }),
  'me.socials.update': async (given) => ({ ...(await withSocial(given)), network: 'xing' }),
  'me.socials.delete': withSocial,
  'me.replacePreferences': async () => ({ preferences: { density: 'compact' } }),
  'me.changePreferences': async () => ({ preferences: { density: 'compact' } }),
  'me.endSession': async ({ app, person }) => ({
    id: person === undefined ? nobodysId : await sessionOf(app, person.userId),
  }),
  'me.revokeApiKey': async ({ app, person }) => ({
    id: person === undefined ? nobodysId : await buildApiKey(app, person.userId),
  }),
  'me.startTotp': async (given) => {
    await withTotp(false)(given);
    return {};
  },
  'me.confirmTotp': withTotp(false),
  'me.removeTotp': withTotp(true),
  'me.renewRecoveryCodes': withTotp(true),
  'me.addPasskey': async ({ app, person }) => {
    const user = { id: person?.userId ?? nobodysId, email: person?.email ?? '' };
    const challenge =
      person === undefined ? '' : await createChallenge(app.services.authDb, app.services.secrets, user);
    const credential = createPasskey(user.id).create({
      challenge: Buffer.from(challenge).toString('base64url'),
    });
    return { name: 'Phone', credential };
  },
  'me.renamePasskey': async (given) => ({ ...(await withPasskey(given)), name: 'Renamed' }),
  'me.removePasskey': withPasskey,
  'rpc.updateUserPassword': async ({ app, person }) => {
    if (person !== undefined) await setPassword(app, person.userId);
    return { current_plain_password: password, new_plain_password: 'correct horse battery 9' };
  },
  'organizations.create': async () => ({ name: 'New' }),
  'invitations.preview': async ({ tenant }) => ({ token: tenant.invitationToken }),
  'invitations.decline': withInvitation,
  'invitations.accept': withInvitation,
  'invitations.join': async ({ app }) => ({ token: (await buildTenant(app.owner)).linkToken }),
  'communicationPreferences.get': withMessage,
  'communicationPreferences.update': async (given) => {
    const { id, token } = await withMessage(given);
    return { id, token, preferences: { pause: true } };
  },
  'content.describeShare': withShare,
  'content.openShare': withShare,
  'jobs.retry': async () => ({ id: newId() }),
  'operator.setOrganizationStatus': async ({ tenant }) => ({ id: tenant.organizationId, status: 'active' }),
  'operator.setUserStatus': async () => ({ id: newId(), status: 'active' }),
  'editedHelp.savePage': async () => ({ name: 'new-page', if_updated_at: null, ...helpText }),
  'editedHelp.deletePage': async () => ({ name: 'new-page' }),
  'editedHelp.orderPages': async () => ({ names: [] }),
  'editedHelp.saveFaqCategory': async () => ({
    name: 'new',
    if_updated_at: null,
    en: { title: 'New', description: '' },
    de: null,
  }),
  'editedHelp.deleteFaqCategory': async () => ({ name: 'new' }),
  'editedHelp.orderFaqCategories': async () => ({ names: [] }),
  'editedHelp.saveFaq': async () => ({
    category: 'new',
    name: 'new',
    if_updated_at: null,
    screens: [],
    ...helpText,
  }),
  'editedHelp.deleteFaq': async () => ({ category: 'new', name: 'new' }),
  'editedHelp.orderFaqs': async () => ({ category: 'new', names: [] }),
  'systemMailbox.get': async ({ app }) => ({ id: await buildSystemMessage(app) }),
};

async function buildPasskey(app: TestApp, user_id: string): Promise<string> {
  const id = newId();
  const key = {
    credential_id: id,
    public_key: Buffer.from('key'),
    counter: 0,
    transports: [],
    name: 'Phone',
  };
  await insertRows(app.owner, 'passkeys', { id, user_id, ...key });
  return id;
}

async function buildApiKey(app: TestApp, user_id: string): Promise<string> {
  const { organization_id } = await buildMember(app.owner, { user_id });
  return (await makeKeyOf(app, organization_id, user_id)).keyId;
}

async function buildAddress(app: TestApp, user_id: string): Promise<string> {
  const id = newId();
  await insertRows(app.owner, 'user_addresses', { id, user_id, ...address });
  return id;
}

async function buildSocial(app: TestApp, user_id: string): Promise<string> {
  const id = newId();
  await insertRows(app.owner, 'user_socials', { id, user_id, network: 'x', url: 'https://x.example/ada' });
  return id;
}

async function emailOf(app: TestApp, userId: string): Promise<string> {
  const { email } = await getRow(app.owner, 'users', '*', { id: userId });
  return email;
}

async function sessionOf(app: TestApp, userId: string): Promise<string> {
  const session = await findRow(app.owner, 'sessions', ['id'], { user_id: userId });
  return session?.id ?? nobodysId;
}

let hash: Promise<string> | undefined;

async function setPassword(app: TestApp, user_id: string): Promise<void> {
  hash ??= app.services.passwords.hashUnlimited(password);
  await app.owner
    .insertInto('accounts')
    .values({ id: newId(), user_id, account_id: user_id, provider_id: 'credential', password: await hash })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function buildSystemMessage(app: TestApp): Promise<string> {
  const id = newId();
  await insertRows(app.owner, 'account_mailbox_messages', {
    id,
    recipient: 'ada@people.example',
    sender: 'reachout@localhost.example',
    subject: 'Your code',
    raw: Buffer.from('Subject: Your code\r\n\r\n123456\r\n'),
    received_at: new Date().toISOString(),
  });
  return id;
}
