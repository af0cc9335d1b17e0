import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { shortcutsOn } from '#web/ui/shortcuts.ts';
import { navigationItems, type NavigationItemName } from './navigation-items.ts';

/** Keys after G. */
export const goTo: Readonly<Record<string, NavigationItemName>> = {
  d: 'dashboard',
  c: 'clients',
  m: 'campaigns',
  t: 'touchpoints',
  e: 'events',
  r: 'calendar',
  p: 'templates',
  a: 'audiences',
  k: 'contacts',
  l: 'collections',
  o: 'domains',
  i: 'mailbox',
  s: 'settings',
};

const sequenceMs = 1200;

/**
 * `/` searches, F filters, C chooses the client, N creates a record, G and a letter navigates, ? lists all shortcuts.
 * Inactive in fields and dialogs and with modifier keys. J and K are handled by lists.
 */
export function useGlobalShortcuts(onHelp: () => void): void {
  const navigate = useNavigate();
  const { orgId } = useOrganization();
  const lastG = useRef(-Infinity);
  const help = useRef(onHelp);
  useEffect(() => {
    help.current = onHelp;
  });
  useEffect(() => {
    const items = navigationItems(`/o/${orgId}`);
    const onKey = (event: KeyboardEvent) => {
      if (!shortcutsOn() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const key = event.key.toLowerCase();
      const item = goTo[key];
      if (item && performance.now() - lastG.current < sequenceMs) {
        lastG.current = -Infinity;
        event.preventDefault();
        void navigate({ to: items[item].href });
      } else if (key === 'g') {
        lastG.current = performance.now();
      } else if (key === '/') {
        focusOn(event, '[data-search-field]');
      } else if (key === '?') {
        help.current();
      } else if (key === 'c') {
        press(event, '[data-client-switch]');
      } else if (key === 'f') {
        press(event, '[data-filter-button]');
      } else if (key === 'n') {
        press(event, '[data-primary-action] button, [data-primary-action] a');
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, orgId]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null)
  );
}

function focusOn(event: KeyboardEvent, selector: string): void {
  const element = document.querySelector<HTMLElement>(selector);
  if (!element) return;
  event.preventDefault();
  element.focus();
}

function press(event: KeyboardEvent, selector: string): void {
  const element = document.querySelector<HTMLElement>(selector);
  if (!element) return;
  event.preventDefault();
  element.click();
}
