import { organizationStatuses } from '@reachout/contract/statuses.ts';
import { IconBuilding } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { api } from '#web/platform/api.ts';
import { OperatedList } from './operated-list.tsx';
import { organizationList, type OrganizationSearch } from './operator-lists.ts';
import { operatedOrganizations } from './operator-queries.ts';

export function OrganizationList({ search }: { search: OrganizationSearch }) {
  const { t } = useTranslation('operator');
  const format = useFormat();
  const query = useQuery(operatedOrganizations(search));
  const save = useMutation(api.operator.setOrganizationStatus.mutationOptions());
  return (
    <OperatedList
      what="organizations"
      icon={IconBuilding}
      query={query}
      list={organizationList}
      choices={organizationStatuses.map((value) => ({ value, hint: t(`organizations.hints.${value}`) }))}
      status={search.status}
      nameOf={({ name }) => name}
      columns={[{ header: t('members'), align: 'end', cell: ({ members }) => format.number(members) }]}
      onSave={({ id }, change) => save.mutateAsync({ id, ...change })}
    />
  );
}
