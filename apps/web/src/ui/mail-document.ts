import { createHtmlPolicy } from '#web/platform/trusted-types.ts';

/** The parsed HTML is shown in a sandboxed frame without scripts (preview-frame.tsx). */
export const emailPolicy = createHtmlPolicy('email', (html) => html);

const web = /^https?:\/\//i;

/**
 * Prepares an email for display in a frame: links open in a new tab without access to this one, and links that are not web
 * addresses are disabled. Otherwise a link would load its page in the frame in place of the email, and pages usually forbid
 * framing. The frame's sandbox decides whether a tab can open at all; it also blocks scripts and forms, which are left
 * unchanged.
 * @param change  further changes to the displayed document
 */
export function mailDocument(html: string, change?: (shown: Document) => void): string {
  const shown = new DOMParser().parseFromString(emailPolicy.createHTML(html), 'text/html');
  change?.(shown);
  // Removes elements that could add or change links that the following code does not see.
  for (const element of shown.querySelectorAll('base, template, animate, set')) element.remove();
  for (const link of shown.querySelectorAll('[*|href]:not(link)')) {
    if (link.localName !== 'a' && link.localName !== 'area' && link.namespaceURI !== mathMl) continue;
    link.removeAttributeNS(xlink, 'href');
    link.removeAttribute('ping');
    if (!web.test(link.getAttribute('href')?.trim() ?? '')) link.removeAttribute('href');
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
  }
  // Only read: this document is parsed, never displayed.
  // oxlint-disable-next-line no-restricted-properties
  return (shown.doctype ? '<!doctype html>' : '') + shown.documentElement.outerHTML;
}

const xlink = 'http://www.w3.org/1999/xlink';
const mathMl = 'http://www.w3.org/1998/Math/MathML';

/** As most people see an email at first: no picture is loaded, and its alternative text is shown. */
export function withoutImages(shown: Document): void {
  for (const image of shown.querySelectorAll('img, source, [background]'))
    for (const name of ['src', 'srcset', 'background']) image.removeAttribute(name);
  for (const element of shown.querySelectorAll<HTMLElement>('[style*="url("]'))
    element.style.backgroundImage = 'none';
}
