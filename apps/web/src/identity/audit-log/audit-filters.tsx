import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ListFilter, OtherFilter } from '#web/identity/lists/list-filters.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useAuditGroupName } from './audit-action.ts';
import { auditGroups, auditPeriods } from './audit-search.ts';

export function useAuditFilters(): (ListFilter | OtherFilter)[] {
  const { t } = useTranslation('settings');
  const groupName = useAuditGroupName();
  const { api, orgId, can } = useOrganization();
  const members = useQuery({
    ...api.members.list.queryOptions({ input: { id: orgId, page_size: 500 } }),
    enabled: can('read', 'Member'),
  });
  const people: ListFilter = {
    name: 'user',
    label: t('audit.who'),
    any: t('audit.anyone'),
    isSearchable: true,
    options: (members.data?.items ?? []).map(({ user_id, user }) => ({
      value: user_id,
      label: user.full_name,
    })),
  };
  return [
    can('read', 'Member') ? people : { names: ['user'], control: null },
    {
      name: 'action',
      label: t('words.action'),
      any: t('audit.anything'),
      options: auditGroups.map((group) => ({
        value: group,
        label: groupName(group.replace('.', '')) ?? group,
      })),
    },
    {
      name: 'days',
      label: t('words.time'),
      any: t('audit.anytime'),
      options: auditPeriods.map((value) => ({
        value,
        label: t('audit.lastDays', { count: Number(value) }),
      })),
    },
  ];
}
