import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';

/** Whose emails it shows. A client also becomes the current one. */
type Search = { client: string } | { brand: string } | { campaign: string };

export function CalendarItem({ search }: { search: Search }) {
  const { t } = useTranslation('clients');
  const { orgId } = useOrganization();
  return (
    <Menu.Item
      renderRoot={(props) => (
        <Link {...props} to="/o/$orgId/calendar" params={{ orgId }} search={search}>
          {t('inCalendar')}
        </Link>
      )}
    />
  );
}
