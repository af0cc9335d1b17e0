import { createHash } from 'node:crypto';
import type { Subscription, SubscriptionChange } from './unsubscribe.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** The unsubscribe pages that recipients see. `{brand}` and `{address}` are filled in. */
const texts = {
  en: {
    askTitle: 'Stop emails from {brand}?',
    unsubscribe: 'Unsubscribe',
    doneTitle: 'Unsubscribed',
    done: 'You won’t get any more emails from {brand}.',
    undo: 'Resubscribe',
    undoneTitle: 'Resubscribed',
    undone: 'You will get emails from {brand} again.',
    address: 'Address: {address}',
    unknownTitle: 'This link doesn’t work',
    unknown:
      'The link may be incomplete. Open the email again and use the link at the bottom, or reply to the sender.',
    nowhereTitle: 'Page not found',
    nowhere: 'The link may be incomplete or altered. Open the email again and use the link there.',
    awayTitle: 'Please try again in a moment',
    away: 'We are temporarily unavailable. Nothing was changed.',
    otherLanguage: 'Deutsch',
  },
  de: {
    askTitle: 'Keine E-Mails mehr von {brand}?',
    unsubscribe: 'Abmelden',
    doneTitle: 'Abgemeldet',
    done: 'Sie erhalten keine weiteren E-Mails von {brand}.',
    undo: 'Wieder anmelden',
    undoneTitle: 'Wieder angemeldet',
    undone: 'Sie erhalten wieder E-Mails von {brand}.',
    address: 'Adresse: {address}',
    unknownTitle: 'Dieser Link funktioniert nicht',
    unknown:
      'Der Link ist möglicherweise unvollständig. Öffnen Sie die E-Mail erneut und verwenden Sie den Link am Ende, oder antworten Sie dem Absender.',
    nowhereTitle: 'Seite nicht gefunden',
    nowhere:
      'Der Link ist möglicherweise unvollständig oder verändert. Öffnen Sie die E-Mail erneut und verwenden Sie den Link dort.',
    awayTitle: 'Bitte versuchen Sie es gleich noch einmal',
    away: 'Der Dienst ist vorübergehend nicht erreichbar. Es wurde nichts geändert.',
    otherLanguage: 'English',
  },
} as const satisfies Record<Language, Record<string, string>>;

/** The language of `?lang`, else the first supported one of Accept-Language, else English. */
export function chooseLanguage(lang: unknown, acceptLanguage: string | undefined): Language {
  const isKnown = (code: string): code is Language => languages.some((language) => language === code);
  if (typeof lang === 'string' && isKnown(lang)) return lang;
  const wanted = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = /^\s*q=([\d.]+)/.exec(parameters.join(';'))?.[1];
      return { code: range.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    // The sort is stable: equal weights keep their order.
    .toSorted((one, other) => other.quality - one.quality);
  return wanted.map(({ code }) => code).find(isKnown) ?? 'en';
}

/** The page before and after unsubscribing. Works without scripts, cookies and other hosts. */
export function renderSubscriptionPage(
  language: Language,
  token: string,
  { brand, maskedAddress, isUnsubscribed, canUndo }: Subscription,
  change: SubscriptionChange,
): string {
  const text = texts[language];
  const fill = (template: string) =>
    escapeHtml(template).replaceAll(/\{(brand|address)\}/g, (_, name) =>
      escapeHtml(name === 'brand' ? brand : maskedAddress),
    );
  // Relative, so that it works under every name of this installation and from /u and /p alike.
  const form = (button: string, fields: string, kind: string) =>
    `<form method="post" action="../u/${token}?lang=${language}"><input type="hidden" name="source" value="page">${fields}<button class="${kind}">${escapeHtml(button)}</button></form>`;
  const address = `<p class="address">${fill(text.address)}</p>`;
  if (isUnsubscribed) {
    const undo = canUndo ? form(text.undo, '<input type="hidden" name="undo" value="1">', 'quiet') : '';
    return page(language, text.doneTitle, `<p role="status">${fill(text.done)}</p>${address}${undo}`);
  }
  if (change === 'undo') {
    return page(language, text.undoneTitle, `<p role="status">${fill(text.undone)}</p>${address}`);
  }
  return page(
    language,
    text.askTitle.replace('{brand}', () => brand),
    `${address}${form(text.unsubscribe, '', 'main')}`,
  );
}

/** One page for every link that can't be used, so that it does not reveal why: tampered, unknown or from another installation. */
export function renderMessagePage(language: Language, about: 'unknown' | 'nowhere' | 'away'): string {
  const text = texts[language];
  return page(language, text[`${about}Title`], `<p>${escapeHtml(text[about])}</p>`);
}

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#f4f5f7,#16181d);color:light-dark(#1c1f26,#eceef2)}
main{box-sizing:border-box;width:min(30rem,100% - 2rem);padding:2rem;border-radius:12px;background:light-dark(#fff,#21242c);box-shadow:0 1px 4px rgb(0 0 0/.16)}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}
p{margin:0 0 1rem;overflow-wrap:anywhere}
.address{color:light-dark(#4b5263,#b4bac7)}
button{box-sizing:border-box;width:100%;min-height:48px;padding:.5rem 1rem;border:2px solid transparent;border-radius:8px;font:inherit;font-weight:600;cursor:pointer}
.main{background:light-dark(#1c4fd6,#8fb0ff);color:light-dark(#fff,#0b1533)}
.quiet{background:transparent;border-color:currentcolor;color:inherit}
button:focus-visible,a:focus-visible{outline:3px solid light-dark(#1c4fd6,#8fb0ff);outline-offset:2px}
nav{margin-top:1.5rem;font-size:.875rem}
a{color:light-dark(#1c4fd6,#8fb0ff)}`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Allows only the inline style and the form of this page; sends no referrer. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/**
 * Sandboxes email content: it runs no scripts and has an opaque origin. Links may open a new tab without the sandbox.
 */
export const mailHeaders = {
  ...pageHeaders,
  'content-security-policy':
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline' https:; font-src https: data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
} as const;

function page(language: Language, title: string, content: string): string {
  const other = language === 'en' ? 'de' : 'en';
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><meta name="referrer" content="no-referrer"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${content}<nav><a href="?lang=${other}" hreflang="${other}" lang="${other}">${texts[language].otherLanguage}</a></nav></main></body></html>
`;
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => escapes[character]!);
