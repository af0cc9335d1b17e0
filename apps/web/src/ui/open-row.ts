import type { MouseEvent } from 'react';

/** The element that opens a row: the link with its name, or a button instead of it. */
const openers = 'th[scope=row] a[href^="/"], th[scope=row] .row-button, [data-row-link]';
const controls = 'a, button, input, select, textarea, label, summary';
const middleButton = 1;

/**
 * Makes a click anywhere in a row act like the link with its name; for `onClick` and `onAuxClick` of the rows' container.
 * The link remains for keyboard and screen readers. Text can still be selected, and other controls keep their behavior.
 */
export function openRow(event: MouseEvent<HTMLElement>): void {
  const { target, currentTarget, button } = event;
  // Dialogs and menus of a row are portals, whose clicks React also bubbles to the row.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (event.defaultPrevented || button > middleButton || target.closest(controls)) return;
  if (getSelection()?.isCollapsed === false) return;
  const opener = target.closest('tr, li')?.querySelector<HTMLElement>(openers);
  if (!opener) return;
  if (button !== middleButton && !event.ctrlKey && !event.metaKey) opener.click();
  else if (opener instanceof HTMLAnchorElement) window.open(opener.href, '_blank', 'noopener');
}
