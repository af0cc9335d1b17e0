import {
  withoutLinks,
  type AccountEmailContent,
  type ComposeAccountEmail,
  type EmailLanguage,
} from '../../identity/account-email/account-email.ts';
import { inOrganization } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/ids.ts';
import { isBeyondConsent } from '../consent/choices.queries.ts';
import { findSignUp } from './sign-up.queries.ts';
import { toConfirmationToken } from './confirm-sign-up.ts';

/**
 * Asks a person to confirm a sign-up. Undefined if it was confirmed or deleted, and for an address that gets no mail of the
 * brand whatever its owner says.
 */
export const composeSignUpConfirmation: ComposeAccountEmail = async ({ db, secrets, publicUrl }, job) => {
  const { organization_id: organizationId, sign_up_id: id } = job.payload;
  if (!isUuid(organizationId) || !isUuid(id)) return undefined;
  const signUp = await inOrganization(db, organizationId, async (trx) => {
    const found = await findSignUp(trx, organizationId, id);
    if (found === undefined || found.confirmed_at !== null || found.address !== job.recipient)
      return undefined;
    const { brand_id: brandId, address_key: addressKey } = found;
    return (await isBeyondConsent(trx, { organizationId, brandId, addressKey })) ? undefined : found;
  });
  if (signUp === undefined) return undefined;
  return confirmationTexts[job.language]({
    brand: withoutLinks(signUp.brand_name),
    title: withoutLinks(signUp.title),
    url: `${publicUrl}/f/confirm/${toConfirmationToken(secrets, { organizationId, id })}`,
  });
};

interface Words {
  brand: string;
  title: string;
  url: string;
}

export const confirmationTexts: Record<EmailLanguage, (words: Words) => AccountEmailContent> = {
  en: ({ brand, title, url }) => ({
    sender: brand,
    subject: `Please confirm: ${title}`,
    paragraphs: [
      `Somebody has entered your address in the form “${title}” of ${brand}.`,
      'If it was you, please confirm that you want to get emails. Without that, you get none.',
    ],
    button: { label: 'Go to confirmation', url },
    notes: ['The link works for 30 days.', 'If it wasn’t you, ignore this email: nothing happens.'],
  }),
  de: ({ brand, title, url }) => ({
    sender: brand,
    subject: `Bitte bestätigen: ${title}`,
    paragraphs: [
      `Jemand hat Ihre Adresse in das Formular „${title}“ von ${brand} eingetragen.`,
      'Wenn Sie das waren, bestätigen Sie bitte, dass Sie E-Mails erhalten möchten. Sonst erhalten Sie keine.',
    ],
    button: { label: 'Zur Bestätigung', url },
    notes: [
      'Der Link funktioniert 30 Tage lang.',
      'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Es geschieht nichts.',
    ],
  }),
};
