import { linkNoOfMarker } from '@reachout/contract/rules/link-marker.ts';
import { mailDocument } from '#web/ui/mail-document.ts';

export interface LinkMark {
  /** Label beside the link: its number in the table, and its share of the clicks. */
  label: string;
  /** How strongly the link is highlighted. */
  weight: 'most' | 'some' | 'none';
}

/** The email with a mark on each link in `marks`; otherwise like any email preview. */
export const linkMapDocument = (html: string, marks: ReadonlyMap<number, LinkMark>): string =>
  mailDocument(html, (shown) => {
    for (const link of shown.querySelectorAll('a[href]')) {
      const mark = marks.get(linkNoOfMarker(link.getAttribute('href') ?? '') ?? -1);
      if (mark === undefined) continue;
      link.setAttribute('data-clicks', mark.weight);
      // The mark covers the corner of a button or an image; in text it follows the words, which it would cover.
      if (link.querySelector('img') !== null || /block/.test(link.getAttribute('style') ?? ''))
        link.setAttribute('data-corner', '');
      const label = shown.createElement('span');
      label.setAttribute('data-share', '');
      label.textContent = mark.label;
      link.append(label);
    }
  }) + style;

/** Emails have a white background in both themes, so these colors are the same. */
const style = `<style>
  a[data-clicks] { position: relative !important; outline: 2px solid #9aa4b2 !important; outline-offset: 2px !important; }
  a[data-clicks=some], a[data-clicks=most] { outline-color: #006ec6 !important; }
  [data-share] { all: initial; display: inline-block; margin-inline-start: 4px; padding: 0 6px; border-radius: 8px;
    font: 600 11px/16px system-ui, sans-serif; white-space: nowrap; box-shadow: 0 0 0 1px #fff;
    color: #3b4350; background: #e3e7ec; }
  [data-corner] > [data-share] { position: absolute; z-index: 1; top: -12px; right: -8px; }
  [data-clicks=some] > [data-share] { color: #013463; background: #c5dffe; }
  [data-clicks=most] > [data-share] { color: #fff; background: #025aa3; }
</style>`;
