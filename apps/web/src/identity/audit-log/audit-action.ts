import { isApiKeyScope } from '@reachout/contract/abilities.ts';
import { useTranslation } from 'react-i18next';
import { settings } from '#web/i18n/en/settings.ts';
import { useRoleName } from '#web/identity/organizations/role-name.ts';

/** An action of the log in words; one that this release has no words for by its area and name. */
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

/** A detail of an entry, its name and its value, in words where there are some. */
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

/** Details are small plain JSON: words one by one, lists side by side. */
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
