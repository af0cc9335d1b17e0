import { inOrganization } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/ids.ts';
import type { DataRequestKind } from '@reachout/contract/states/data-request.ts';
import type {
  AccountEmailContent,
  ComposeAccountEmail,
  EmailLanguage,
} from '../../identity/account-email/account-email.ts';
import { withoutLinks } from '../../identity/invitations/invitation.ts';
import { tokenOf } from './data-request.ts';
import { findRequest } from './data-requests.queries.ts';

/** Undefined if the request is confirmed or gone, or about another address. */
export const composeConfirmation: ComposeAccountEmail = async ({ db, secrets, publicUrl }, job) => {
  const { organization_id: organizationId, request_id: id, brand_name: brand } = job.payload;
  if (!isUuid(organizationId) || !isUuid(id) || typeof brand !== 'string') return undefined;
  const request = await inOrganization(db, organizationId, (trx) => findRequest(trx, { organizationId, id }));
  if (request?.state !== 'unconfirmed' || request.address_key !== job.recipient.toLowerCase())
    return undefined;
  const url = `${publicUrl}/d/${tokenOf(secrets, { organizationId, id })}?lang=${job.language}`;
  return texts[job.language][request.kind](withoutLinks(brand), url);
};

type Compose = (brand: string, url: string) => AccountEmailContent;

const texts: Record<EmailLanguage, Record<DataRequestKind, Compose>> = {
  en: {
    copy: (brand, url) => ({
      subject: 'Confirm: a copy of your data',
      paragraphs: [
        `Someone, probably you, asked for a copy of the data that ${brand} and its sender store about this email address.`,
      ],
      button: { label: 'Confirm', url },
      notes: [
        'The link can confirm for 24 hours. On its page you can then download the copy for 7 days.',
        'If you did not ask for it, do nothing: the copy is then not made.',
      ],
    }),
    erasure: (brand, url) => ({
      subject: 'Confirm: erase your data',
      paragraphs: [
        `Someone, probably you, asked that the data that ${brand} and its sender store about this email address is erased.`,
        'You then get no more emails from them. This cannot be undone.',
      ],
      button: { label: 'Check and confirm', url },
      notes: [
        'The link can confirm for 24 hours.',
        'If you did not ask for it, do nothing: nothing is then erased.',
      ],
    }),
  },
  de: {
    copy: (brand, url) => ({
      subject: 'Bitte bestätigen: Kopie Ihrer Daten',
      paragraphs: [
        `Jemand, vermutlich Sie, hat eine Kopie der Daten angefordert, die ${brand} und der Absender zu dieser E-Mail-Adresse speichern.`,
      ],
      button: { label: 'Bestätigen', url },
      notes: [
        'Mit dem Link können Sie 24 Stunden lang bestätigen. Auf der Seite können Sie die Kopie dann 7 Tage lang herunterladen.',
        'Wenn Sie das nicht waren, tun Sie nichts: Dann wird keine Kopie erstellt.',
      ],
    }),
    erasure: (brand, url) => ({
      subject: 'Bitte bestätigen: Löschung Ihrer Daten',
      paragraphs: [
        `Jemand, vermutlich Sie, möchte die Daten löschen lassen, die ${brand} und der Absender zu dieser E-Mail-Adresse speichern.`,
        'Sie erhalten danach keine E-Mails mehr von ihnen. Das lässt sich nicht rückgängig machen.',
      ],
      button: { label: 'Prüfen und bestätigen', url },
      notes: [
        'Mit dem Link können Sie 24 Stunden lang bestätigen.',
        'Wenn Sie das nicht waren, tun Sie nichts: Dann wird nichts gelöscht.',
      ],
    }),
  },
};
