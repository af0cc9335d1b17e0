import { createHtmlPolicy } from '#web/platform/trusted-types.ts';

/** What is parsed here is shown in a sandboxed frame without scripts (preview-frame.tsx). */
export const emailPolicy = createHtmlPolicy('email', (html) => html);

const web = /^https?:\/\//i;

/**
 * A mail as it is shown in a frame: a link opens in a new tab that knows nothing of this one, and what is no web address
 * leads nowhere. Without that a link would load its page, which forbids frames, in place of the mail. Whether a
 * tab may open at all is for the frame's sandbox to say; it also stops scripts and forms, which are left as they are.
 * @param change  what else is different in what is shown
 */
export function mailDocument(html: string, change?: (shown: Document) => void): string {
  const shown = new DOMParser().parseFromString(emailPolicy.createHTML(html), 'text/html');
  change?.(shown);
  // What could bring in or change links behind the back of what follows.
  for (const element of shown.querySelectorAll('base, template, animate, set')) element.remove();
  for (const link of shown.querySelectorAll('[*|href]:not(link)')) {
    if (link.localName !== 'a' && link.localName !== 'area' && link.namespaceURI !== mathMl) continue;
    link.removeAttributeNS(xlink, 'href');
    link.removeAttribute('ping');
    if (!web.test(link.getAttribute('href')?.trim() ?? '')) link.removeAttribute('href');
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
  }
  // Read, not written: this document is parsed, never shown.
  // oxlint-disable-next-line no-restricted-properties
  return (shown.doctype ? '<!doctype html>' : '') + shown.documentElement.outerHTML;
}

const xlink = 'http://www.w3.org/1999/xlink';
const mathMl = 'http://www.w3.org/1998/Math/MathML';
