import { Anchor, Button, Code, CopyButton, Group, Menu, Text } from '@mantine/core';
import { isApiKeyScope } from '@reachout/contract/abilities.ts';
import type { ApiKey } from '@reachout/contract/members.ts';
import { IconCopy, IconKey, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { checked, compact, readListSearch } from '#web/platform/list-search.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { ApiKeyForm } from '#web/identity/api-keys/api-key-form.tsx';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { notify } from '#web/ui/notify.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { FirstUse } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

export const Route = createFileRoute('/o/$orgId/settings/api-keys')({
  validateSearch: checked((raw) => readListSearch(raw, [])),
  component: Page,
});

const pageSize = 20;

function Page() {
  const { t } = useTranslation('settings');
  const [creating, setCreating] = useState(false);
  const create = (
    <PermittedButton
      permission={['create', 'ApiKey']}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => setCreating(true)}
    >
      {t('keys.new')}
    </PermittedButton>
  );
  return (
    <SettingsPage section="api-keys" primary={create}>
      <OrganizationId />
      <ApiKeys />
      {creating && <ApiKeyForm onClose={() => setCreating(false)} />}
    </SettingsPage>
  );
}

/** What every operation of a program needs beside its key. */
function OrganizationId() {
  const { t } = useTranslation(['settings', 'common']);
  const { orgId } = useOrganization();
  return (
    <Group gap="xs" mb="md">
      <Text size="sm">
        {t('keys.organizationId')} <Code className="break">{orgId}</Code>
      </Text>
      <CopyButton value={orgId}>
        {({ copied, copy }) => (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconCopy size={14} stroke={1.75} />}
            onClick={copy}
          >
            {copied ? t('common:actions.copied') : t('keys.copyId')}
          </Button>
        )}
      </CopyButton>
      <Anchor href="/api/docs" size="sm">
        {t('keys.docs')}
      </Anchor>
    </Group>
  );
}

function ApiKeys() {
  const { t } = useTranslation(['settings', 'common']);
  const format = useFormat();
  const { api, orgId, can } = useOrganization();
  const { page = 1 } = Route.useSearch();
  const navigate = Route.useNavigate();
  const [revoking, setRevoking] = useState<ApiKey>();
  const query = useQuery(
    api.apiKeys.list.queryOptions({
      input: { id: orgId, page: page - 1, page_size: pageSize },
      placeholderData: keepPreviousData,
    }),
  );
  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      header: t('keys.name'),
      cell: (key) => (
        <>
          {key.name}
          <div>
            <Code>{key.prefix}…</Code>
          </div>
        </>
      ),
    },
    {
      key: 'scopes',
      header: t('keys.scopes'),
      cell: ({ scopes }) =>
        scopes.map((scope) => (
          <div key={scope}>
            {isApiKeyScope(scope) ? t(`keys.scope.${scope}`, { nsSeparator: false }) : scope}
          </div>
        )),
    },
    {
      key: 'created',
      header: t('keys.created'),
      cell: (key) => (
        <>
          {format.date(key.created_at)}
          <Text size="xs" c="dimmed">
            {key.created_by?.full_name ?? t('keys.gone')}
          </Text>
        </>
      ),
    },
    {
      key: 'used',
      header: t('keys.used'),
      cell: (key) => (key.last_used_at === null ? t('members.never') : format.relative(key.last_used_at)),
    },
    {
      key: 'expires',
      header: t('keys.expires'),
      cell: (key) => {
        if (key.revoked_at !== null)
          return (
            <>
              <StatusBadge status="revoked" />
              <Text size="xs" c="dimmed">
                {format.date(key.revoked_at)}
              </Text>
            </>
          );
        if (new Date(key.expires_at) < new Date()) return <StatusBadge status="expired" />;
        return format.date(key.expires_at);
      },
    },
  ];
  return (
    <>
      <AsyncRegion query={query} what={t('keys.what')}>
        {({ items, count }) =>
          count === 0 ? (
            <FirstUse icon={<IconKey size={28} stroke={1.75} />} title={t('keys.empty')}>
              {t('keys.emptyHint')}
            </FirstUse>
          ) : (
            <>
              <DataTable
                label={t('sections.api-keys')}
                columns={columns}
                rows={items}
                rowKey={(key) => key.id}
                rowActions={
                  can('delete', 'ApiKey')
                    ? (key) =>
                        key.revoked_at === null && (
                          <RowMenu name={key.name}>
                            <Menu.Item c="var(--app-danger)" onClick={() => setRevoking(key)}>
                              {t('keys.revoke')}
                            </Menu.Item>
                          </RowMenu>
                        )
                    : undefined
                }
              />
              <Pager
                page={page}
                pageSize={pageSize}
                total={count}
                onPage={(next) => void navigate({ search: compact({ page: next }) })}
              />
            </>
          )
        }
      </AsyncRegion>
      {revoking && (
        <ConfirmDialog
          title={t('keys.revokeQuestion', { name: revoking.name })}
          confirmLabel={t('keys.revoke')}
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await client.apiKeys.revoke({ id: orgId, key_id: revoking.id });
            await refreshOrganization(orgId);
            notify(t('keys.revoked'));
          }}
        >
          <Text>{t('keys.revokeEffect')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
