import type { Ask } from './post.ts';

const parameter = 'ctm_vid';
/** Of other forms, the fields become the query of the address, in place of what it has. */
const selector = ':any-link,[formaction][formmethod=post i],form[action][method=post i]';
/** The server takes a mark for five minutes. */
const maxAgeMs = 240_000;
/** After a request that brought none. */
const retryMs = 10_000;

/** A signature holds for the whole query: with another parameter, the link would be dead. */
const signed =
  /([?&_-](sig(ned|n)?|mac|exp(ires|iry)?|ttl|verify|hdnts)|signature|hmac|hash|digest|checksum|md5|sha\d*)=|[?&]\w=[\da-f]{16}/i;

/**
 * Takes the visitor along to hosts with other cookies. The mark of a link or a form is requested when somebody points at it, and is
 * in its address only while it is followed: a link that is copied has none. Without a mark it works as it is.
 * @param visitorTo  the visitor to take along to an address; undefined for none
 */
export function watchLinks(
  visitorTo: (address: URL) => string | undefined,
  ask: Ask,
  attempt: (work: () => unknown) => Promise<void>,
): void {
  /** By visitor and host; each is for one click. Empty texts: there is none, or not yet. */
  const marks: Record<string, string> = {};

  async function notice(event: Event): Promise<void> {
    const { type, target, submitter, button } = event as SubmitEvent & MouseEvent;
    const isClick = /click/.test(type);
    const path = (submitter === undefined ? event.composedPath() : [submitter, target]) as (Element | null)[];
    const element = path.find((node) => node?.matches?.(selector));
    const name = ['href', 'formaction', 'action'].find((known) => element?.hasAttribute(known));
    // Forms are submitted later; the right button opens a menu, which copies links.
    if (!name || /noref/.test(element!.getAttribute('rel')!) || (isClick && (name !== 'href' || button > 1)))
      return;
    const address = element!.getAttribute(name)!;
    const url = new URL(address, document.baseURI);
    const anonymous_id = visitorTo(url);
    if (!anonymous_id || signed.test(url.search)) return;
    const { host } = url;
    const key = anonymous_id + host;
    const value = marks[key];
    if (!isClick && submitter === undefined) {
      if (value !== undefined) return;
      marks[key] = '';
      try {
        marks[key] = (await ask({ type: 'LINK', anonymous_id, host })).ctm_vid ?? '';
      } finally {
        setTimeout(() => delete marks[key], marks[key] ? maxAgeMs : retryMs);
      }
    } else if (value) {
      delete marks[key];
      // Browsers read addresses after all listeners, and before the next task.
      const added = `${url.search ? '&' : '?'}${parameter}=${value}`;
      const marked = address.replace(/#.*|$/, (hash) => added + hash);
      element!.setAttribute(name, marked);
      setTimeout(() => {
        // Others may have changed it, too.
        const now = element!.getAttribute(name)!;
        element!.setAttribute(name, now === marked ? address : now.replace(added, ''));
      }, 0);
    }
  }

  for (const type of ['pointerover', 'focusin', 'click', 'auxclick', 'submit'])
    addEventListener(type, (event) => void attempt(() => notice(event)), true);
}
