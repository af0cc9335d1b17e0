import { useTranslation } from 'react-i18next';

/** A built-in role in the reader's language; an organization's own role by its own name. */
export function useRoleName(): (role: string) => string {
  const { t } = useTranslation('organizations');
  return (role) => {
    if (role === 'owner' || role === 'admin' || role === 'editor' || role === 'analyst')
      return t(`roles.${role}`);
    return role;
  };
}
