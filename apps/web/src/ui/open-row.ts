import type { MouseEvent } from 'react';

/** What opens a row: the link with its name, or the button in the place of one. */
const openers = 'th[scope=row] a[href^="/"], th[scope=row] .row-button, [data-row-link]';
const controls = 'a, button, input, select, textarea, label, summary';
const middleButton = 1;

/**
 * Lets a click anywhere in a row do what the link with its name does; for `onClick` and `onAuxClick` of what the rows are
 * in. The link stays for the keyboard and for screen readers. Text can be selected, and other controls do what they do.
 */
export function openRow(event: MouseEvent<HTMLElement>): void {
  const { target, currentTarget, button } = event;
  // Dialogs and menus of a row are elsewhere on the page, and React tells of clicks in them, too.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (event.defaultPrevented || button > middleButton || target.closest(controls)) return;
  if (getSelection()?.isCollapsed === false) return;
  const opener = target.closest('tr, li')?.querySelector<HTMLElement>(openers);
  if (!opener) return;
  if (button !== middleButton && !event.ctrlKey && !event.metaKey) opener.click();
  else if (opener instanceof HTMLAnchorElement) window.open(opener.href, '_blank', 'noopener');
}
