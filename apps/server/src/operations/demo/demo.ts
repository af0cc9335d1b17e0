import { randomBytes } from 'node:crypto';
import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '@reachout/contract/router.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Auth } from '../../identity/auth/auth.ts';
import type { Config } from '../../platform/config.ts';
import { isLoopback } from '../../platform/loopback.ts';
import { hasUser, hasUsers } from './demo.queries.ts';
import { demoContacts } from './demo-contacts.ts';
import { demoMjml } from './demo-template.ts';

/** Calls the product as somebody, in the same way as a browser does, without HTTP between. */
export type Caller = ContractRouterClient<Contract>;

export interface DemoDeps {
  config: Pick<Config, 'smtpUrl'>;
  authDb: Database;
  auth: Auth;
  callAs: (userId: string) => Caller;
}

const email = 'demo@reachout.example';

/**
 * Only an installation that nobody else can reach has a demo by default: each start prints a link that signs in. Others
 * have one when the operator asks for it.
 */
export const hasDemoByDefault = ({
  databaseUrl,
  smtpUrl,
  host,
  publicUrl,
}: Pick<Config, 'databaseUrl' | 'smtpUrl' | 'host' | 'publicUrl'>): boolean =>
  databaseUrl === undefined &&
  smtpUrl === undefined &&
  isLoopback(host) &&
  isLoopback(new URL(publicUrl).hostname);

/**
 * On the first start, where nobody has signed up yet, makes an organization with a campaign and really sends it: what
 * the first page shows has happened, unless a mail server delivers. Nobody knows the password of its person; a link signs in.
 * @returns the link for the operator's terminal; undefined where there is no demo
 */
export async function openDemo({ config, authDb, auth, callAs }: DemoDeps): Promise<string | undefined> {
  if (!(await hasUsers(authDb))) {
    const password = randomBytes(48).toString('base64url');
    const call = callAs(await auth.createUser({ email, password, name: 'Demo' }));
    const newsletterId = await makeDemo(call);
    // Its recipients are made up.
    if (config.smtpUrl === undefined) await call.sends.start({ id: newsletterId, immediately: true });
  }
  return await auth.makeSignInLink(email).catch(() => undefined);
}

/** Whether its person has an account here. */
export const hasDemo = (db: Database): Promise<boolean> => hasUser(db, email);

/** @returns the id of an email that can be sent */
async function makeDemo(call: Caller): Promise<string> {
  const { id: organization_id } = await call.organizations.create({ name: 'Demo agency' });
  const client = await call.clients.create({ organization_id, name: 'Nordwind Outdoor' });
  const brand = await call.brands.create({ organization_id, client_id: client.id, name: 'Nordwind' });
  await call.brands.update({
    id: brand.id,
    color: 'green',
    from_email: 'news@nordwind.example',
    reply_to: 'hello@nordwind.example',
    postal_address: 'Nordwind Outdoor GmbH\nHafenstraße 1\n20457 Hamburg',
    imprint_url: 'https://nordwind.example/imprint',
  });
  await call.brands.create({ organization_id, client_id: client.id, name: 'Nordwind Kids' });
  for (const data of demoContacts) {
    await call.content.createItem({ organization_id, collection: 'contacts', data });
  }
  const filter = await call.filters.create({
    organization_id,
    name: 'Germany, Austria and Switzerland',
    rule: { country: { _in: ['DE', 'AT', 'CH'] } },
  });
  const template = await call.templates.create({
    organization_id,
    title: 'Spring newsletter',
    mjml: demoMjml,
  });

  const campaign = await call.campaigns.create({ organization_id, brand_id: brand.id, name: 'Spring 2027' });
  const addEmail = async (name: string, content: { subject: string; preheader?: string }) => {
    const { id } = await call.touchpoints.create({
      organization_id,
      campaign_id: campaign.id,
      name,
      type: 'email',
    });
    const chosen = { filter_id: filter.id, template_id: template.id };
    await call.touchpoints.updateEmail({ id, ...chosen, ...content });
    return id;
  };
  const newsletterId = await addEmail('Spring newsletter', {
    subject: '{{ contact.first_name | default: "Hello" }}, spring is here',
    preheader: 'Light jackets, dry feet, long evenings',
  });
  await addEmail('Reminder for the last week', { subject: 'Only until Sunday' });
  await call.campaigns.create({ organization_id, brand_id: brand.id, name: 'Summer 2027' });
  return newsletterId;
}
