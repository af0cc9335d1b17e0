import { IconBuilding } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { EmptyState } from '#web/ui/states.tsx';

/** In place of the dashboard of somebody who is limited to clients and has none: nothing else is there to be seen. */
export function NoClientYet({ owners }: { owners: readonly string[] }) {
  const { t } = useTranslation(['dashboard', 'organizations']);
  const format = useFormat();
  const { organization } = useOrganization();
  const text = t('noClient.body', { organization: organization.name });
  return (
    <>
      <PageHeader title={t('title')} />
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
