import type { Action, Subject } from '@reachout/contract/abilities.ts';
import type { SettingsSection } from './navigation-items.ts';

/** The permissions that each settings page requires, all of them; without them, users get neither the tab nor the page. */
export const settingsPermissions = {
  general: [['read', 'Organization']],
  address: [['read', 'Organization']],
  contacts: [['read', 'Organization']],
  members: [['read', 'Member']],
  invitations: [['read', 'Invitation']],
  roles: [['read', 'Member']],
  'content-backend': [['update', 'Organization']],
  transports: [['update', 'Organization']],
  'api-keys': [['read', 'ApiKey']],
  'audit-log': [['read', 'AuditLog']],
  trash: [
    ['delete', 'Client'],
    ['delete', 'Brand'],
    ['delete', 'Campaign'],
    ['delete', 'Touchpoint'],
  ],
} as const satisfies Record<SettingsSection, readonly (readonly [Action, Subject])[]>;
