import { IconBuilding } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { EmptyState } from '#web/ui/states.tsx';

/** Replaces the dashboard for members who are limited to clients and have none, as they can see no records. */
export function NoClientYet({ owners }: { owners: readonly string[] }) {
  const { t } = useTranslation(['dashboard', 'organizations']);
  const format = useFormat();
  const { organization } = useOrganization();
  const text = t('noClient.body', { organization: organization.name });
  return (
    <>
      <PageHeader title={t('words.dashboard')} />
      <EmptyState
        icon={IconBuilding}
        title={t('noClient.title')}
        text={
          owners.length === 0 ? text : `${text} ${t('organizations:owners', { names: format.list(owners) })}`
        }
      />
    </>
  );
}
