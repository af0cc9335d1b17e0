import { isApiKeyScope } from '@reachout/contract/abilities.ts';
import type { AuditEntry } from '@reachout/contract/audit-log.ts';
import { useTranslation } from 'react-i18next';
import { delivery } from '#web/i18n/en/delivery.ts';
import { shared } from '#web/i18n/en/shared.ts';
import { settings } from '#web/i18n/en/settings.ts';
import { useFormat } from '#web/i18n/format.ts';
import { isKey } from '#web/i18n/is-key.ts';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { allWords, sayAction, wordOfField } from './say-action.ts';

/**
 * @returns a function that says what was done. About a send, it names the email, the brand and the number of recipients. An
 *   action unknown to this release is shown by its area and name.
 */
export function useAuditActionText(): (entry: AuditEntry) => string {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const groupName = useAuditGroupName();
  return ({ action, record_name: name, details: { brand, recipients, kind } }) => {
    const [area = '', last = ''] = action.split('.');
    const count = typeof recipients === 'number' ? recipients : undefined;
    const ofSend =
      area === 'schedules'
        ? `schedule_${last}`
        : area === 'sends' && kind === 'triggered'
          ? 'activate'
          : last;
    if (['sends', 'emails', 'schedules'].includes(area) && typeof brand === 'string' && name !== null) {
      if (isSendAction(ofSend, count))
        return t(`audit.sends.${ofSend}`, { name, brand, count, number: format.number(count ?? 0) });
      if (area === 'sends' && isKey(settings.audit.verbs, last))
        return t(`audit.verbs.${last}`, { what: t('audit.sends.named', { name, brand }) });
    }
    const group = groupName(area);
    return (
      sayAction(t, action) ?? (group === undefined ? action : t('audit.unknownAction', { group, action }))
    );
  };
}

/** @returns a function that names an area of actions, such as `clients`; undefined for one that is unknown to this release */
export function useAuditGroupName(): (area: string) => string | undefined {
  const { t } = useTranslation('settings');
  return (area) => {
    if (isKey(settings.audit.groups, area)) return t(`audit.groups.${area}`);
    if (isKey(allWords, area)) return t(`words.${area}`);
    // Named like its page in the settings: `apiKeys`.
    const section = area.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return isKey(settings.sections, section) ? t(`sections.${section}`) : undefined;
  };
}

type SendTexts = typeof settings.audit.sends;
type SendAction =
  | Exclude<keyof SendTexts, `${string}_${'one' | 'other'}`>
  | 'start'
  | 'followUp'
  | 'schedule_create';

/** Whether there is a sentence for an action, which may need the number of recipients. */
const isSendAction = (action: string, count: number | undefined): action is SendAction =>
  isKey(settings.audit.sends, action) ||
  (count !== undefined && isKey(settings.audit.sends, `${action}_other`));

/** The record of an entry: its name at that time, or the list that its items belong to. */
export function useAuditRecordName(): (entry: AuditEntry) => string | undefined {
  const { t } = useTranslation('common');
  return ({ record_name: name, details: { collection } }) => {
    if (name !== null) return name;
    if (typeof collection !== 'string') return undefined;
    return isKey(shared.collectionNames, collection) ? t(`collectionNames.${collection}`) : collection;
  };
}

/** @returns a function that translates the details of an entry, as far as translations exist */
export function useAuditDetails(): (entry: AuditEntry) => { name: string; value: string }[] {
  const { t } = useTranslation(['settings', 'common', 'delivery']);
  const format = useFormat();
  const roleName = useRoleName();
  const fieldName = (field: string) => {
    if (isKey(settings.audit.fields, field)) return t(`audit.fields.${field}`);
    const word = wordOfField(field);
    return word === undefined ? field : t('audit.field', { word: t(`words.${word}`) });
  };
  const word = (detail: string, value: string): string => {
    if (detail === 'method' && isKey(settings.audit.methods, value)) return t(`audit.methods.${value}`);
    if (['role', 'from', 'to'].includes(detail)) return roleName({ role: value });
    if (detail === 'scopes' && isApiKeyScope(value)) return t(`keys.scope.${value}`, { nsSeparator: false });
    if (detail === 'start_date') return format.time(value);
    if (detail === 'filters') return fieldName(value);
    if (detail === 'decision' && isKey(settings.audit.decisions, value)) return t(`audit.decisions.${value}`);
    if (detail === 'status' && isKey(shared.status, value)) return t(`common:status.${value}`);
    if (detail === 'uncertain_policy' && isKey(delivery.policy.name, value))
      return t(`delivery:policy.name.${value}`);
    if (detail === 'type' && isKey(shared.type, value)) return t(`common:type.${value}`);
    return value;
  };
  const plain = (detail: string, value: unknown): string => {
    if (typeof value === 'string') return word(detail, value);
    if (typeof value === 'number') return format.number(value);
    if (typeof value === 'boolean') return t(value ? 'words.yes' : 'words.no');
    if (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
      return value.map((entry) => word(detail, entry)).join(', ');
    if (isChangeOf(value)) return `${word(detail, value.from)} → ${word(detail, value.to)}`;
    return JSON.stringify(value);
  };
  return ({ details: { fields, values, kind: _kind, ...details } }) => {
    const known = (values ?? {}) as Record<string, unknown>;
    const named = Object.keys(known);
    const others = Array.isArray(fields)
      ? fields.filter(
          (field): field is string => typeof field === 'string' && !named.includes(field) && isChange(field),
        )
      : [];
    return [
      ...named.map((field) => ({ name: capitalize(fieldName(field)), value: plain(field, known[field]) })),
      ...(others.length === 0 ? [] : [{ name: t('words.changed'), value: others.map(fieldName).join(', ') }]),
      ...Object.entries(details).map(([detail, value]) => ({
        name: isKey(settings.audit.details, detail)
          ? t(`audit.details.${detail}`)
          : capitalize(fieldName(detail)),
        value: plain(detail, value),
      })),
    ];
  };
}

/** A role before and after. */
const isChangeOf = (value: unknown): value is { from: string; to: string } =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'from') === 'string' &&
  typeof Reflect.get(value, 'to') === 'string';

/** Entries of earlier releases also list what was only compared. */
const isChange = (field: string): boolean => !/^(?:expected|if)_/.test(field);

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
