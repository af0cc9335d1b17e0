import type { Language } from '@reachout/contract/rules/languages.ts';
import { messagesOpen } from '@reachout/contract/states/data-request.ts';
import { maskAddress } from '../../email/addresses/address.ts';
import { button, form, hidden, markup } from '../../insight/public-pages/markup.ts';
import { statusPage, type PublicPage } from '../../insight/public-pages/page-layout.ts';
import { textsIn } from '../../insight/public-pages/page-texts.ts';
import type { Recipient, ShownBrand } from '../../insight/public-pages/recipient.ts';
import { cameBack, confirmableMs } from './data-request.ts';
import type { DataRequestRow } from './data-requests.queries.ts';
import { dataPageTexts } from './data-page-texts.ts';

interface Names {
  brand: ShownBrand | undefined;
  organizationName: string | undefined;
}

const dataTextsIn = (language: Language, { brand, organizationName = '' }: Names, address: string) =>
  textsIn(dataPageTexts, language, {
    brand: brand?.name ?? '',
    organization: organizationName,
    address,
  });

export function askPage(language: Language, recipient: Recipient): PublicPage {
  const text = dataTextsIn(language, recipient, recipient.maskedAddress);
  const buttons = [
    button('main', text('askCopy'), ['kind', 'copy']),
    button('quiet', text('askErasure'), ['kind', 'erasure']),
  ];
  const address = markup`<p class="address">${text('addressLine')}</p>`;
  return statusPage(text, 'ask', recipient.brand, [address, form(language, buttons)]);
}

/** After asking. @param isSent  false if the address got too many of these emails */
export const sentPage = (language: Language, recipient: Recipient, isSent: boolean): PublicPage =>
  statusPage(
    dataTextsIn(language, recipient, recipient.maskedAddress),
    isSent ? 'checkInbox' : 'often',
    recipient.brand,
  );

/** The page behind the link of the email: to confirm, and to see how far it is. Only its form changes anything. */
export function requestPage(language: Language, row: DataRequestRow, names: Names, now: Date): PublicPage {
  const { kind, state, failure, address_key: address } = row;
  const text = dataTextsIn(language, names, address === null ? '' : maskAddress(address));
  const { brand } = names;
  if (state === 'unconfirmed')
    return now.getTime() - Date.parse(row.requested_at) > confirmableMs
      ? statusPage(text, 'unknown', brand)
      : statusPage(text, kind, brand, form(language, button('main', text(`${kind}Confirm`))));
  if (state === 'running') {
    const again = markup`<p><a href="?lang=${language}">${text('reload')}</a></p>`;
    return statusPage(text, 'running', brand, again);
  }
  if (failure === messagesOpen) return statusPage(text, 'later', brand);
  if (state === 'waiting' || state === 'failed') return statusPage(text, state, brand);
  if (failure === cameBack) return statusPage(text, 'cameBack', brand);
  if (kind === 'erasure') return statusPage(text, 'erased', brand);
  if (!row.has_copy) return statusPage(text, 'unknown', brand);
  const download = [hidden('file', '1'), button('main', text('download'))];
  // Relative to the address without its last part, which is the token.
  return statusPage(text, 'ready', brand, markup`<form method="get" action="">${download}</form>`);
}
