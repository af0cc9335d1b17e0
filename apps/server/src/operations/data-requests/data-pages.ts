import { maskAddress } from '../../email/addresses/address.ts';
import { escapeHtml } from '../../email/liquid/escape-html.ts';
import { layOutPage } from '../../insight/public-pages/page-layout.ts';
import type { Language } from '../../insight/public-pages/page-texts.ts';
import type { ShownBrand } from '../../insight/public-pages/recipient.ts';
import { confirmableMs, type DataRequestRow } from './data-request.ts';
import { dataPageTexts } from './data-page-texts.ts';

type Text = keyof (typeof dataPageTexts)['en'];

const fillIn = (language: Language, brand: ShownBrand | undefined, address: string) => (name: Text) =>
  escapeHtml(dataPageTexts[language][name]).replaceAll(/\{(brand|address)\}/g, (_, of) =>
    escapeHtml(of === 'brand' ? (brand?.name ?? '') : maskAddress(address)),
  );

/** From /p/{token}/data, from which the logo is two folders up. */
const layOut = (language: Language, title: Text, content: string, brand: ShownBrand) =>
  layOutPage(language, dataPageTexts[language][title], content, brand, '../../');

/** The page on which a recipient asks for the own data. */
export function renderAskPage(language: Language, brand: ShownBrand, address: string): string {
  const text = fillIn(language, brand, address);
  const form = (kind: string, button: Text, look: string) =>
    `<form method="post" action="?lang=${language}"><input type="hidden" name="kind" value="${kind}"><p><button class="${look}">${text(button)}</button></p></form>`;
  return layOut(
    language,
    'title',
    `<p>${text('about')}</p><p class="address">${text('address')}</p>${form('copy', 'askCopy', 'main')}${form('erasure', 'askErasure', 'quiet')}`,
    brand,
  );
}

/** After asking. @param isSent  false if the address got too many of these emails */
export function renderSentPage(
  language: Language,
  brand: ShownBrand,
  address: string,
  isSent: boolean,
): string {
  const text = fillIn(language, brand, address);
  return isSent
    ? layOut(language, 'sentTitle', `<p role="status">${text('sent')}</p>`, brand)
    : layOut(language, 'oftenTitle', `<p role="status">${text('often')}</p>`, brand);
}

/** The page behind the link of the email: to confirm, and to see how far it is. Only its form changes anything. */
export function renderRequestPage(
  language: Language,
  request: DataRequestRow,
  brand: ShownBrand | undefined,
  now: Date,
): string {
  const { kind, state, address_key: address } = request;
  const text = fillIn(language, brand, address ?? '');
  const page = (title: Text, content: string) =>
    layOutPage(language, dataPageTexts[language][title], content, brand);
  const says = (title: Text, about: Text) => page(title, `<p role="status">${text(about)}</p>`);
  if (state === 'unconfirmed') {
    if (now.getTime() - Date.parse(request.requested_at) > confirmableMs) return says('overTitle', 'over');
    return page(
      `${kind}Title`,
      `<p>${text(`${kind}About`)}</p><form method="post" action="?lang=${language}"><button class="main">${text(`${kind}Confirm`)}</button></form>`,
    );
  }
  if (state === 'running')
    return page(
      'runningTitle',
      `<p role="status">${text('running')}</p><p><a href="?lang=${language}">${text('reload')}</a></p>`,
    );
  if (state === 'waiting' || state === 'failed') return says(`${state}Title`, state);
  if (kind === 'erasure') return says('erasedTitle', 'erased');
  if (!request.has_copy) return says('overTitle', 'over');
  // Relative to the address without its last part, which is the token.
  return page(
    'readyTitle',
    `<p role="status">${text('ready')}</p><form method="get" action=""><input type="hidden" name="file" value="1"><button class="main">${text('download')}</button></form>`,
  );
}
