import { isBuiltInRole } from '@reachout/contract/abilities.ts';
import { useTranslation } from 'react-i18next';

interface RoleHolder {
  role: string;
  /** Name of a custom role. */
  role_name?: string | null;
}

/** @returns a function that translates a built-in role; a custom role is shown by its own name */
export function useRoleName(): (holder: RoleHolder) => string {
  const { t } = useTranslation('organizations');
  return ({ role, role_name }) => (isBuiltInRole(role) ? t(`roles.${role}`) : (role_name ?? role));
}
