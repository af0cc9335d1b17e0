import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { readChoice } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { auditGroups, auditPeriods, type AuditSearch } from './audit-search.ts';

export function AuditFilters({ search: { user, action, days } }: { search: AuditSearch }) {
  const { t } = useTranslation('settings');
  const { api, orgId, can } = useOrganization();
  const change = useChangeSearch<AuditSearch>();
  const members = useQuery({
    ...api.members.list.queryOptions({ input: { id: orgId, page_size: 500 } }),
    enabled: can('read', 'Member'),
  });
  return (
    <>
      {can('read', 'Member') && (
        <Select
          clearable
          searchable
          aria-label={t('audit.who')}
          placeholder={t('audit.anyone')}
          value={user ?? null}
          data={(members.data?.items ?? []).map((member) => ({
            value: member.user_id,
            label: member.user.full_name,
          }))}
          onChange={(next) => change({ user: next ?? undefined })}
        />
      )}
      <Select
        clearable
        aria-label={t('audit.what')}
        placeholder={t('audit.anything')}
        value={action ?? null}
        data={auditGroups.map((group) => ({
          value: group,
          label: t(`audit.groups.${group.replace('.', '') as 'clients'}`),
        }))}
        onChange={(next) => change({ action: readChoice(next, auditGroups) })}
      />
      <Select
        clearable
        aria-label={t('audit.when')}
        placeholder={t('audit.anytime')}
        value={days ?? null}
        data={auditPeriods.map((value) => ({ value, label: t('audit.lastDays', { count: Number(value) }) }))}
        onChange={(next) => change({ days: readChoice(next, auditPeriods) })}
      />
    </>
  );
}
