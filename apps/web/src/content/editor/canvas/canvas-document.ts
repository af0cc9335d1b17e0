import { emailPolicy, withoutImages } from '#web/ui/mail-document.ts';
import { blockClass } from './mark-source.ts';

/**
 * The frame is sandboxed without scripts, inert and below a layer that takes all events; this policy is a further barrier.
 * Everything else follows `default-src`.
 */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: https:";

const looks = `
  html, body { overflow: hidden !important; }
  body { margin: 0; min-height: 0 !important; height: auto !important; }
  a[data-link] { color: #0b57d0; text-decoration: underline; }
  .rx-chip { border-radius: 4px; padding: 0 4px; background: #dbeafe; color: #14418b; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
  .rx-tag { border-radius: 4px; padding: 0 3px; background: #ede9fe; color: #5b21b6; font: 11px/1.4 ui-monospace, Menlo, monospace; }
  [data-edited] { visibility: hidden !important; }
  [data-look='inverted'] img { filter: invert(1) hue-rotate(180deg); }
`;

/** How the email is shown: as it is, inverted as some mail programs do in dark mode, or before any image is loaded. */
export type Look = 'light' | 'inverted' | 'noImages';

export const emptyDocument = (): string =>
  emailPolicy.createHTML(
    `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="${policy}"></head><body></body></html>`,
  );

const forbidden =
  'script, iframe, frame, frameset, object, embed, base, meta, link, template, animate, set, portal';
/** Could load, lead elsewhere or take the focus. */
const forbiddenAttribute = /^(?:on.*|xlink:href|action|formaction|ping|srcdoc|autofocus|target)$/i;

/** Shows compiled HTML in the frame. What could load, run or lead elsewhere is removed before it gets there. */
export function showHtml(frame: Document, html: string, look: Look): void {
  const parsed = new DOMParser().parseFromString(emailPolicy.createHTML(html), 'text/html');
  for (const element of parsed.querySelectorAll(forbidden)) element.remove();
  for (const element of parsed.querySelectorAll('*'))
    for (const name of element.getAttributeNames()) {
      if (name === 'href' && element.localName === 'a') element.setAttribute('data-link', '');
      if (name === 'href' || forbiddenAttribute.test(name)) element.removeAttribute(name);
    }
  if (look === 'noImages') withoutImages(parsed);
  const style = frame.createElement('style');
  style.textContent = looks;
  for (const node of frame.head.querySelectorAll(':scope > :not(meta)')) node.remove();
  frame.head.append(...[...parsed.head.children].map((node) => frame.importNode(node, true)), style);
  for (const name of frame.body.getAttributeNames()) frame.body.removeAttribute(name);
  for (const { name, value } of parsed.body.attributes) frame.body.setAttribute(name, value);
  frame.documentElement.dataset['look'] = look;
  frame.body.replaceChildren(...[...parsed.body.childNodes].map((node) => frame.importNode(node, true)));
}

export interface Point {
  x: number;
  y: number;
}

export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** @returns where blocks are shown, by their index */
export function measureBlocks(frame: Document): Map<number, Rect> {
  const rects = new Map<number, Rect>();
  const add = (index: number, { left, top, right, bottom }: Rect) => {
    if (right - left < 1 && bottom - top < 1) return;
    const known = rects.get(index);
    rects.set(index, known ? around([known, { left, top, right, bottom }]) : { left, top, right, bottom });
  };
  for (const element of frame.querySelectorAll(`[class*="${blockClass}"]`))
    for (const [, index] of element.className.matchAll(marks))
      add(Number(index), element.getBoundingClientRect());
  const comments = frame.createNodeIterator(frame.body, NodeFilter.SHOW_COMMENT);
  const open = new Map<string, Node>();
  for (let node = comments.nextNode(); node !== null; node = comments.nextNode()) {
    const words = node.nodeValue ?? '';
    if (words.startsWith(blockClass)) open.set(words, node);
    const first = words.startsWith('/') ? open.get(words.slice(1)) : undefined;
    if (first === undefined) continue;
    const range = frame.createRange();
    range.setStartAfter(first);
    range.setEndBefore(node);
    add(Number(words.slice(blockClass.length + 1)), range.getBoundingClientRect());
  }
  return rects;
}

const marks = new RegExp(`${blockClass}(\\d+)(?!\\S)`, 'g');

export const around = (rects: readonly Rect[]): Rect => ({
  left: Math.min(...rects.map(({ left }) => left)),
  top: Math.min(...rects.map(({ top }) => top)),
  right: Math.max(...rects.map(({ right }) => right)),
  bottom: Math.max(...rects.map(({ bottom }) => bottom)),
});

/** The element with the text of a text block or button. */
export const textElement = (frame: Document, index: number): HTMLElement | null =>
  frame.querySelector<HTMLElement>(
    ['td{} > div', '{} td > a', '{} td > p']
      .map((path) => path.replace('{}', `.${blockClass}${index}`))
      .join(),
  );
