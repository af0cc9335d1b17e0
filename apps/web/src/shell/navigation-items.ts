import type { NavigationItem } from './current.ts';

/**
 * Links of the side navigation for an organization. Pure, so that a test can check the prefix rule.
 * @param contactLists  the collections of contacts, whose pages belong to the contacts
 */
export function navigationItems(base: string, contactLists: readonly string[] = ['contacts']) {
  const ofContacts = contactLists.map((list) => `${base}/collections/${list}/`);
  return {
    // The checklist is on the dashboard, and has an entry of its own.
    dashboard: { href: base, exact: true, exceptSearch: 'setup' },
    clients: { href: `${base}/clients`, alternates: [`${base}/brands`, `${base}/sign-up-forms`] },
    campaigns: { href: `${base}/campaigns` },
    touchpoints: { href: `${base}/touchpoints` },
    events: { href: `${base}/events` },
    calendar: { href: `${base}/calendar` },
    templates: { href: `${base}/templates` },
    audiences: { href: `${base}/audiences` },
    contacts: {
      href: `${base}/contacts`,
      alternates: [...ofContacts, `${base}/suppressions`, `${base}/data-requests`],
    },
    collections: {
      href: `${base}/collections`,
      alternates: [`${base}/files`, `${base}/shares`],
      except: ofContacts,
    },
    domains: { href: `${base}/domains` },
    mailbox: { href: `${base}/mailbox` },
    settings: { href: `${base}/settings` },
  } satisfies Record<string, NavigationItem>;
}

export type NavigationItemName = keyof ReturnType<typeof navigationItems>;

/** The settings pages, in tab order. */
export const settingsSections = [
  'general',
  'address',
  'contacts',
  'members',
  'invitations',
  'roles',
  'content-backend',
  'transports',
  'api-keys',
  'audit-log',
  'trash',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

export const settingsHref = (orgId: string, section: SettingsSection): string =>
  `/o/${orgId}/settings/${section}`;
