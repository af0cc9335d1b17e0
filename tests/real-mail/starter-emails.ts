import { starterLanguages, templateStarters } from '@reachout/contract/templates.ts';
import { starterMjml } from '../../apps/server/src/content/templates/starters.ts';
import { createSendRenderer } from '../../apps/server/src/delivery/worker/send-renderer.ts';
import { createSigner } from '../../apps/server/src/email/dkim/create-signer.ts';
import { createTokenSigner } from '../../apps/server/src/email/links/tokens.ts';
import type { BuiltMessage } from '../../apps/server/src/email/mime/email-renderer.ts';
import { compileEmail } from '../../apps/server/src/email/templates/compile-email.ts';

export interface SignedEmail {
  /** Template and language, such as `newsletter (en)`. */
  name: string;
  envelopeFrom: string;
  message: Buffer;
}

/** Builds and signs each default template as a send does, for one recipient. */
export async function signStarterEmails(key: {
  domain: string;
  selector: string;
  privateKey: string;
}): Promise<SignedEmail[]> {
  const sign = createSigner(key);
  const emails: SignedEmail[] = [];
  for (const starter of templateStarters)
    for (const language of starterLanguages) {
      const name = `${starter} (${language})`;
      const built = await build(starterMjml(starter, language), name, key.domain);
      const { message, envelopeFrom } = await sign(built);
      emails.push({ name, envelopeFrom, message });
    }
  return emails;
}

async function build(mjml: string, name: string, domain: string): Promise<BuiltMessage> {
  const content = {
    subject: 'News from Nordwind',
    preheader: 'What is new in spring',
    from_name: 'Nordwind',
    from_email: `news@${domain}`,
    reply_to: `hello@${domain}`,
    mjml,
  };
  const context = {
    brand: {
      id: '0198f0a0-0000-7000-8000-000000000001',
      name: 'Nordwind',
      color: '#1864ab',
      tint: '#e7f5ff',
    },
    organization: { name: 'Agency' },
  };
  const compiled = await compileEmail(content, context, 'tests');
  if (!compiled.ok) throw new Error(`${name} does not compile: ${JSON.stringify(compiled.problems)}`);
  const renderer = createSendRenderer(compiled.snapshot, {
    organizationId: '0198f0a0-0000-7000-8000-000000000002',
    sendNumber: 1,
    messageIdBase: '0198f0a0-0000-7000-8000-000000000003',
    publicUrl: `https://reachout.${domain}`,
    signer: createTokenSigner(Buffer.alloc(32, 7)),
    bounceDomain: `bounce.${domain}`,
    isTest: false,
  });
  const variables = { first_name: 'Jürgen', last_name: 'Müller' };
  return renderer.build({ seq: 1, contactId: 'c', address: 'juergen@receiver.test', variables }, new Date());
}
