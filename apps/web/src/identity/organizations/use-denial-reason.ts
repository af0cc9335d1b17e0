import type { Action, RecordAttributes, Subject } from '@reachout/contract/abilities.ts';
import { useTranslation } from 'react-i18next';
import { useRoleName } from './role-name.ts';
import { useOrganization } from './use-organization.ts';

/** @returns a function that explains in a sentence or two why an action is denied; undefined if it is allowed */
export function useDenialReason(): (
  action: Action,
  subject: Subject,
  record?: RecordAttributes,
) => string | undefined {
  const { t } = useTranslation(['organizations', 'common']);
  const { can, organization, suspended, rulesKnown } = useOrganization();
  const roleName = useRoleName();
  const permissionName = usePermissionName();
  return (action, subject, record) => {
    if (can(action, subject, record)) return undefined;
    if (suspended) return t('common:code.organization_suspended');
    if (!rulesKnown) return t('readOnly.title');
    return t('common:forbidden.body', {
      role: roleName(organization),
      permission: permissionName(action, subject),
      organization: organization.name,
    });
  };
}

/** Name of a permission: "Edit campaigns". */
export function usePermissionName(): (action: Action, subject: Subject) => string {
  const { t } = useTranslation(['organizations', 'common']);
  return (action, subject) => t(`permission.${action}`, { subject: t(`subjects.${subject}`) });
}
