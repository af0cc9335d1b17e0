import { isApiKeyScope } from '@reachout/contract/abilities.ts';
import { useTranslation } from 'react-i18next';
import { settings } from '#web/i18n/en/settings.ts';
import { useRoleName } from '#web/identity/organizations/role-name.ts';

/** @returns a function that translates an action; one unknown to this release is shown by its area and name */
export function useAuditActionText(): (action: string) => string {
  const { t } = useTranslation('settings');
  return (action) => {
    if (isKnown(action)) return t(`audit.actions.${action}` as 'audit.actions.sign_in');
    const [area = ''] = action.split('.');
    return isKey(settings.audit.groups, area)
      ? t('audit.unknownAction', { group: t(`audit.groups.${area}`), action })
      : action;
  };
}

/** @returns a function that translates the name and value of a detail, as far as translations exist */
export function useAuditDetailText(): (name: string, value: unknown) => { name: string; value: string } {
  const { t } = useTranslation('settings');
  const roleName = useRoleName();
  const word = (detail: string, value: string): string => {
    if (detail === 'method' && isKey(settings.audit.methods, value)) return t(`audit.methods.${value}`);
    if (['role', 'from', 'to'].includes(detail)) return roleName({ role: value });
    if (detail === 'scopes' && isApiKeyScope(value)) return t(`keys.scope.${value}`, { nsSeparator: false });
    if (['fields', 'filters'].includes(detail) && isKey(settings.audit.fields, value))
      return t(`audit.fields.${value}`);
    return value;
  };
  return (name, value) => ({
    name: isKey(settings.audit.details, name) ? t(`audit.details.${name}`) : name,
    value: plain(value, (text) => word(name, text)),
  });
}

const isKey = <Texts extends object>(texts: Texts, key: string): key is keyof Texts & string =>
  Object.hasOwn(texts, key);

/** Formats details, which are small plain JSON: words are translated, lists are joined. */
function plain(value: unknown, word: (text: string) => string): string {
  if (typeof value === 'string') return word(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
    return value.map(word).join(', ');
  return JSON.stringify(value);
}

function isKnown(action: string): boolean {
  let texts: unknown = settings.audit.actions;
  for (const part of action.split('.')) {
    if (typeof texts !== 'object' || texts === null || !Object.hasOwn(texts, part)) return false;
    texts = (texts as Record<string, unknown>)[part];
  }
  return typeof texts === 'string';
}
