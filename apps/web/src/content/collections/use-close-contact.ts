import { useNavigate, type NavigateOptions } from '@tanstack/react-router';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { withoutContact } from './contact-search.ts';

/** @returns a function that leads from the open contact to its list */
export function useCloseContact(): (how?: Pick<NavigateOptions, 'ignoreBlocker' | 'resetScroll'>) => void {
  const navigate = useNavigate();
  const { orgId } = useOrganization();
  return (how) =>
    void navigate({
      to: '/o/$orgId/contacts',
      params: { orgId },
      search: withoutContact,
      resetScroll: false,
      ...how,
    });
}
