import type { Action, Subject } from '@reachout/contract/abilities.ts';
import { useTranslation } from 'react-i18next';

/** A permission in words: "Edit campaigns". */
export function usePermissionName(): (action: Action, subject: Subject) => string {
  const { t } = useTranslation(['organizations', 'common']);
  return (action, subject) => t(`permission.${action}`, { subject: t(`subjectsWithin.${subject}`) });
}
