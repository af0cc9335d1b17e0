import { useTranslation } from 'react-i18next';
import { settings } from '../i18n/en/settings.ts';

/** What entries of the audit log can be filtered by: the beginnings of their actions. */
export const auditGroups = [
  'sign_in',
  'organizations.',
  'members.',
  'organizationRoles.',
  'invitations.',
  'apiKeys.',
  'clients.',
  'brands.',
  'campaigns.',
  'touchpoints.',
  'sends.',
  'filters.',
  'templates.',
  'content.',
  'storage.',
  'auditLog.',
] as const;

/** An action of the log in words; one that this release has no words for by its name. */
export function useAuditActionText(): (action: string) => string {
  const { t } = useTranslation('settings');
  return (action) => (isKnown(action) ? t(`audit.actions.${action}` as 'audit.actions.sign_in') : action);
}

function isKnown(action: string): boolean {
  let texts: unknown = settings.audit.actions;
  for (const part of action.split('.')) {
    if (typeof texts !== 'object' || texts === null || !Object.hasOwn(texts, part)) return false;
    texts = (texts as Record<string, unknown>)[part];
  }
  return typeof texts === 'string';
}
