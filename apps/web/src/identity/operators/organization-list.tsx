import type { OperatedOrganization } from '@reachout/contract/operator.ts';
import { organizationStatuses } from '@reachout/contract/statuses.ts';
import { IconBuilding } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { countColumn } from '#web/identity/lists/columns.tsx';
import { api } from '#web/platform/api.ts';
import { OperatedList } from './operated-list.tsx';
import { organizationList, type OrganizationSearch } from './operator-lists.ts';
import { operatedOrganizations } from './operator-queries.ts';

export function OrganizationList({ search }: { search: OrganizationSearch }) {
  const { t } = useTranslation('operator');
  const query = useQuery(operatedOrganizations(search));
  const save = useMutation(api.operator.setOrganizationStatus.mutationOptions());
  return (
    <OperatedList
      texts="operator:organizations"
      icon={IconBuilding}
      query={query}
      list={organizationList}
      choices={organizationStatuses.map((value) => ({ value, hint: t(`organizations.hints.${value}`) }))}
      nameOf={({ name }) => name}
      columns={[countColumn<OperatedOrganization>('members', t('members'), ({ members }) => members)]}
      onSave={({ id }, change) => save.mutateAsync({ id, ...change })}
    />
  );
}
