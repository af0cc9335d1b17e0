import { inOrganization } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/ids.ts';
import type { DataRequestKind } from '@reachout/contract/states/data-request.ts';
import {
  withoutLinks,
  type AccountEmailContent,
  type ComposeAccountEmail,
  type EmailLanguage,
} from '../../identity/account-email/account-email.ts';
import { nameOfOrganization } from '../../identity/organizations/organization-name.ts';
import { toRequestToken } from './data-request.ts';
import { findRequest } from './data-requests.queries.ts';

/** Undefined if the request is confirmed or gone, or about another address. */
export const composeDataRequestConfirmation: ComposeAccountEmail = async (
  { db, secrets, publicUrl },
  job,
) => {
  const { organization_id: organizationId, request_id: id, brand_name: brand } = job.payload;
  if (!isUuid(organizationId) || !isUuid(id) || typeof brand !== 'string') return undefined;
  const { request, organization } = await inOrganization(db, organizationId, async (trx) => ({
    request: await findRequest(trx, { organizationId, id }),
    organization: await nameOfOrganization(trx),
  }));
  if (organization === undefined) return undefined;
  if (request?.state !== 'unconfirmed' || request.address_key !== job.recipient.toLowerCase())
    return undefined;
  const sender = withoutLinks(brand);
  const words = {
    brand: sender,
    organization: withoutLinks(organization),
    url: `${publicUrl}/d/${toRequestToken(secrets, { organizationId, id })}?lang=${job.language}`,
  };
  return { sender, ...dataRequestTexts[job.language][request.kind](words) };
};

type Compose = (words: { brand: string; organization: string; url: string }) => AccountEmailContent;

export const dataRequestTexts: Record<EmailLanguage, Record<DataRequestKind, Compose>> = {
  en: {
    copy: ({ brand, organization, url }) => ({
      subject: 'Confirm: a copy of your data',
      paragraphs: [
        `Someone, probably you, asked for a copy of the data that ${organization} stores about this email address for ${brand}.`,
      ],
      button: { label: 'Confirm', url },
      notes: [
        'The link can confirm for 24 hours. On its page you can then download the copy for 7 days.',
        'If you did not ask for it, do nothing: the copy is then not made.',
      ],
    }),
    erasure: ({ brand, organization, url }) => ({
      subject: 'Confirm: erase your data',
      paragraphs: [
        `Someone, probably you, asked that all data that ${organization} stores about this email address is erased, for ${brand} and any other brand.`,
        `You then get no more emails from ${organization}. This can’t be undone.`,
      ],
      button: { label: 'Check and confirm', url },
      notes: [
        'The link can confirm for 24 hours.',
        'If you did not ask for it, do nothing: nothing is then erased.',
      ],
    }),
  },
  de: {
    copy: ({ brand, organization, url }) => ({
      subject: 'Bitte bestätigen: Kopie Ihrer Daten',
      paragraphs: [
        `Jemand, vermutlich Sie, hat eine Kopie der Daten angefordert, die ${organization} für ${brand} zu dieser E-Mail-Adresse speichert.`,
      ],
      button: { label: 'Bestätigen', url },
      notes: [
        'Mit dem Link können Sie 24 Stunden lang bestätigen. Auf der Seite können Sie die Kopie dann 7 Tage lang herunterladen.',
        'Wenn Sie das nicht waren, tun Sie nichts: Dann wird keine Kopie erstellt.',
      ],
    }),
    erasure: ({ brand, organization, url }) => ({
      subject: 'Bitte bestätigen: Löschung Ihrer Daten',
      paragraphs: [
        `Jemand, vermutlich Sie, möchte alle Daten löschen lassen, die ${organization} zu dieser E-Mail-Adresse speichert, für ${brand} und jede andere Marke.`,
        `Sie erhalten danach keine E-Mails mehr von ${organization}. Das lässt sich nicht rückgängig machen.`,
      ],
      button: { label: 'Prüfen und bestätigen', url },
      notes: [
        'Mit dem Link können Sie 24 Stunden lang bestätigen.',
        'Wenn Sie das nicht waren, tun Sie nichts: Dann wird nichts gelöscht.',
      ],
    }),
  },
};
