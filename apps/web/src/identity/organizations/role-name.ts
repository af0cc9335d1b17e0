import { isBuiltInRole } from '@reachout/contract/abilities.ts';
import { useTranslation } from 'react-i18next';

interface RoleHolder {
  role: string;
  /** The name of a custom role. */
  role_name?: string | null;
}

/** A built-in role in the reader's language; an organization's custom role by its own name. */
export function useRoleName(): (holder: RoleHolder) => string {
  const { t } = useTranslation('organizations');
  return ({ role, role_name }) => (isBuiltInRole(role) ? t(`roles.${role}`) : (role_name ?? role));
}
