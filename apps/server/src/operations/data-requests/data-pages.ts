import { messagesOpen } from '@reachout/contract/states/data-request.ts';
import { maskAddress } from '../../email/addresses/address.ts';
import { layOutPage } from '../../insight/public-pages/page-layout.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { fillHtml, fillText } from '../../insight/public-pages/page-texts.ts';
import type { Recipient, ShownBrand } from '../../insight/public-pages/recipient.ts';
import { cameBack, confirmableMs } from './data-request.ts';
import type { DataRequestRow } from './data-requests.queries.ts';
import { dataPageTexts } from './data-page-texts.ts';

type Text = keyof (typeof dataPageTexts)['en'];

interface Page {
  /** @returns the text as HTML */
  text: (name: Text) => string;
  /** @param content  HTML */
  layOut: (title: Text, content: string) => string;
  /** A page of one paragraph. */
  say: (title: Text, about: Text) => string;
}

interface PageOptions {
  brand: ShownBrand | undefined;
  organizationName: string | undefined;
  maskedAddress: string;
  /** Relative address of the root, for the logo. */
  root: string;
}

function createPage(
  language: Language,
  { brand, organizationName = '', maskedAddress, root }: PageOptions,
): Page {
  const values = { brand: brand?.name ?? '', organization: organizationName, address: maskedAddress };
  const text = (name: Text) => fillHtml(dataPageTexts[language][name], values);
  const layOut = (title: Text, content: string) =>
    layOutPage(language, fillText(dataPageTexts[language][title], values), content, brand, root);
  return {
    text,
    layOut,
    say: (title, about) => layOut(title, `<p role="status">${text(about)}</p>`),
  };
}

const pageOfRecipient = (language: Language, recipient: Recipient): Page =>
  createPage(language, { ...recipient, root: '../../' });

export function renderAskPage(language: Language, recipient: Recipient): string {
  const { text, layOut } = pageOfRecipient(language, recipient);
  const form = (kind: string, button: Text, look: string) =>
    `<form method="post" action="?lang=${language}"><input type="hidden" name="kind" value="${kind}"><p><button class="${look}">${text(button)}</button></p></form>`;
  return layOut(
    'title',
    `<p>${text('about')}</p><p class="address">${text('address')}</p>${form('copy', 'askCopy', 'main')}${form('erasure', 'askErasure', 'quiet')}`,
  );
}

/** After asking. @param isSent  false if the address got too many of these emails */
export function renderSentPage(language: Language, recipient: Recipient, isSent: boolean): string {
  const { say } = pageOfRecipient(language, recipient);
  return isSent ? say('sentTitle', 'sent') : say('oftenTitle', 'often');
}

interface ShownRequest {
  row: DataRequestRow;
  brand: ShownBrand | undefined;
  organizationName: string | undefined;
}

/** The page behind the link of the email: to confirm, and to see how far it is. Only its form changes anything. */
export function renderRequestPage(language: Language, { row, ...names }: ShownRequest, now: Date): string {
  const { kind, state, address_key: address } = row;
  const maskedAddress = address === null ? '' : maskAddress(address);
  const { text, layOut, say } = createPage(language, { ...names, maskedAddress, root: '../' });
  if (state === 'unconfirmed') {
    if (now.getTime() - Date.parse(row.requested_at) > confirmableMs) return say('overTitle', 'over');
    return layOut(
      `${kind}Title`,
      `<p>${text(`${kind}About`)}</p><form method="post" action="?lang=${language}"><button class="main">${text(`${kind}Confirm`)}</button></form>`,
    );
  }
  if (state === 'running')
    return layOut(
      'runningTitle',
      `<p role="status">${text('running')}</p><p><a href="?lang=${language}">${text('reload')}</a></p>`,
    );
  if (row.failure === messagesOpen) return say('laterTitle', 'later');
  if (state === 'waiting' || state === 'failed') return say(`${state}Title`, state);
  if (row.failure === cameBack) return say('cameBackTitle', 'cameBack');
  if (kind === 'erasure') return say('erasedTitle', 'erased');
  if (!row.has_copy) return say('overTitle', 'over');
  // Relative to the address without its last part, which is the token.
  return layOut(
    'readyTitle',
    `<p role="status">${text('ready')}</p><form method="get" action=""><input type="hidden" name="file" value="1"><button class="main">${text('download')}</button></form>`,
  );
}
