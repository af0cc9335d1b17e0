import { createHash } from 'node:crypto';
import { brandColors, brandShades } from '@reachout/contract/rules/brand-colors.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { Html, markup, type Content } from './markup.ts';
import { commonTexts, textsIn } from './page-texts.ts';
import type { ShownBrand } from '../tracking/sent-messages.queries.ts';

/** CSS color variables of a brand color; blue is the default for pages without a brand. */
function styleOfColor(color: (typeof brandColors)[number]): string {
  const { light, dark } = brandShades[color];
  const pair = (shade: keyof typeof light) => `light-dark(${light[shade]},${dark[shade]})`;
  const selector = color === 'blue' ? ':root' : `[data-color=${color}]`;
  return `${selector}{--fill:${pair('fill')};--on:${pair('on_fill')};--text:${pair('text')}}`;
}

/** Uses the colors and fonts of the web app (apps/web/src/theme.ts) without loading any resource. */
const style = `:root{color-scheme:light dark;font:93.75%/1.47 InterVariable,Inter,system-ui,sans-serif}
body{margin:0;padding:1rem 0;box-sizing:border-box;min-height:100vh;display:grid;place-items:center;background:light-dark(#f1f4f7,#12161d);color:light-dark(#141a23,#e5e8ec)}
main{overflow:hidden;border-top:6px solid var(--fill);box-sizing:border-box;width:min(30rem,100% - 2rem);padding:2rem;border-radius:12px;background:light-dark(#fff,#242b34);box-shadow:0 0 0 1px light-dark(#e0e4ea,#3d454f)}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.33;font-weight:650;overflow-wrap:anywhere}
p{margin:0 0 1rem;overflow-wrap:anywhere}
.address{color:light-dark(#5c646f,#c3c8ce)}
button{box-sizing:border-box;width:100%;min-height:48px;padding:.5rem;overflow-wrap:anywhere;border:2px solid transparent;border-radius:6px;font:inherit;font-weight:600;cursor:pointer}
.main{background:var(--fill);color:var(--on)}
.quiet{background:transparent;border-color:currentcolor;color:inherit}
button+button{margin-top:.75rem}
h2{margin:0 0 .5rem;font-size:1.125rem;line-height:1.33;font-weight:650}
section{margin-top:1.5rem;padding-top:1.5rem;border-top:1px solid light-dark(#e0e4ea,#3d454f)}
.note{margin:0 0 1.5rem;padding:1rem;border:2px solid var(--fill);border-radius:6px}
.note p{margin:.25rem 0 0}
.note form{margin-top:1rem}
fieldset{margin:0 0 1rem;padding:0;border:0;min-width:0}
legend{margin:0 0 .5rem;padding:0}
label{display:flex;gap:.75rem;align-items:flex-start;min-height:44px;padding:.5rem 0;box-sizing:border-box;cursor:pointer}
label span{min-width:0;overflow-wrap:anywhere}
input[type=checkbox]{flex:none;width:1.25rem;height:1.25rem;margin:0;accent-color:var(--fill)}
.hint,.mark{color:light-dark(#5c646f,#c3c8ce);font-size:.875rem;font-weight:400}
.hint{display:block}
:is(a,button,input,select,textarea):focus-visible{outline:3px solid var(--fill);outline-offset:2px}
nav{margin-top:1.5rem;font-size:.875rem}
a{color:var(--text)}
.brand{display:flex;align-items:center;gap:.75rem;margin:0 0 1.5rem;font-weight:600;overflow-wrap:anywhere}
.brand img{display:block;box-sizing:border-box;max-width:160px;max-height:64px;border-radius:6px}
.brand .plate{padding:4px;background:#fff}
footer{margin-top:1.5rem;padding-top:1rem;border-top:1px solid light-dark(#e0e4ea,#3d454f);font-size:.875rem;color:light-dark(#5c646f,#c3c8ce)}
footer p{margin:0 0 .5rem;white-space:pre-line}
form>div{margin:0 0 1rem}
.field{display:block;min-height:0;margin:0 0 .25rem;padding:0;font-weight:600;overflow-wrap:anywhere}
input:not([type=checkbox]),select,textarea{box-sizing:border-box;width:100%;min-height:44px;padding:.5rem .75rem;border:1px solid #808a98;border-radius:6px;background:light-dark(#fff,#12161d);color:inherit;font:inherit}
textarea{min-height:7rem}
:is(input,select,textarea)[aria-invalid=true]{border:2px solid light-dark(#c92a2a,#ff8787)}
.error{margin:.25rem 0 0;color:light-dark(#b02525,#ffa8a8);font-size:.875rem}
.error[role=alert]{margin:0 0 1rem}
.trap{position:absolute;left:-999em;width:1px;height:1px;overflow:hidden}
.consent{white-space:pre-line}
${brandColors.map(styleOfColor).join('')}`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Allows only the inline style, the form and the logo of this page; sends no referrer. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
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

/** What a page for recipients says. Its forms work without scripts, cookies and other hosts. */
export interface PublicPage {
  title: string;
  brand?: ShownBrand | undefined;
  content: Content;
}

/** A page that says the texts `…Title` and `…`, and more below them. */
export const statusPage = <About extends string>(
  text: (key: About | `${About}Title`) => string,
  about: About,
  brand?: ShownBrand,
  more?: Content,
): PublicPage => ({
  title: text(`${about}Title`),
  brand,
  content: markup`<p role="status">${text(about)}</p>${more}`,
});

/** @param root  relative address of the root */
export function renderPage(language: Language, { title, brand, content }: PublicPage, root: string): string {
  const other = language === 'en' ? 'de' : 'en';
  const text = textsIn(commonTexts, language);
  const page = markup`<!doctype html>
    <html lang="${language}">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <meta name="robots" content="noindex,nofollow">
      <meta name="referrer" content="no-referrer">
      <title>${title}</title>
      <style>${new Html(style)}</style>
    </head>
    <body>
      <main${brand && markup` data-color="${brand.color}"`}>
        ${brand && head(brand, root)}
        <h1>${title}</h1>
        ${content}
        <nav><a href="?lang=${other}" hreflang="${other}" lang="${other}">${text('otherLanguage')}</a></nav>
        ${brand && foot(brand, text('imprint'))}
      </main>
    </body>
    </html>`;
  return page.html;
}

/** The brand's logo and name. The logo's URL is relative, like the form's. */
function head({ id, name, logo_url, dark_logo_url }: ShownBrand, root: string): Html {
  const dark =
    dark_logo_url !== null &&
    markup`<source media="(prefers-color-scheme:dark)" srcset="${root}l/${id}-dark.png">`;
  const logo = markup`
    <picture>${dark}<img${dark === false && markup` class="plate"`} src="${root}l/${id}.png" alt=""></picture>`;
  return markup`<div class="brand">${logo_url !== null && logo}<span>${name}</span></div>`;
}

/** The legally required sender information. */
function foot({ postal_address, imprint, imprint_url }: ShownBrand, linkText: string): Html | undefined {
  const parts: Content[] = [postal_address, imprint].filter((part) => part !== '');
  if (imprint_url !== null)
    parts.push(markup`<a href="${imprint_url}" rel="noopener noreferrer">${linkText}</a>`);
  if (parts.length === 0) return undefined;
  return markup`<footer>${parts.map((part) => markup`<p>${part}</p>`)}</footer>`;
}
