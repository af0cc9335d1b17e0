import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { DomainDetails } from '@reachout/contract/domains.ts';
import { domainCheckKinds } from '@reachout/contract/states/domain.ts';
import { linkOptions, useNavigate } from '@tanstack/react-router';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OwnerChip } from '#web/content/owners/owner-chip.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useDeleteAndLeave } from '#web/identity/organizations/use-delete-and-leave.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useFormat } from '#web/i18n/format.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteItem } from '#web/ui/row-menu.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { ValueList } from '#web/ui/value-list.tsx';
import { DomainSettings } from './domain-settings.tsx';
import { DomainStatusBadge } from './domain-status.tsx';
import { DomainSteps } from './domain-steps.tsx';
import { ForAdministrator } from './for-administrator.tsx';
import { RecordCard } from './record-card.tsx';
import { SigningKeys } from './signing-keys.tsx';
import { useDomainChecks } from './use-domain-checks.ts';

/** The records of a domain, which are checked again and again until they are right, and its settings. */
export function DomainPage({ domain }: { domain: DomainDetails }) {
  const { t } = useTranslation('domains');
  const { api, orgId, can } = useOrganization();
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  // The steps stay until the page is left, so that the last one is seen.
  const [isNew] = useState(domain.status === 'pending');
  const checks = useDomainChecks(domain);
  const remove = useDeleteAndLeave(
    api.domains.delete.mutationOptions(),
    () => navigate({ to: '/o/$orgId/domains', params: { orgId } }),
    t('deleted'),
  );
  return (
    <>
      <PageHeader
        title={domain.domain}
        section={t('words.domains')}
        crumbs={linkOptions([{ to: '/o/$orgId/domains', params: { orgId }, label: t('words.domains') }])}
        badge={<DomainStatusBadge status={domain.status} />}
        note={<OwnerChip owner={domain} />}
        primary={
          checks.canCheck && (
            <Button
              variant="filled"
              leftSection={<IconRefresh size={16} />}
              loading={checks.isChecking}
              onClick={checks.checkNow}
            >
              {t('check')}
            </Button>
          )
        }
        more={can('delete', 'Domain') && <DeleteItem onClick={() => setDeleting(true)} />}
      />
      <Stack gap="md" maw={880}>
        {isNew && <DomainSteps current={domain.status === 'pending' ? 'records' : 'done'} />}
        <StatusNotice domain={domain} isNew={isNew} />
        {domain.status !== 'verified' && <ForAdministrator domain={domain} />}
        {domainCheckKinds.map((kind) => (
          <RecordCard key={kind} domain={domain} kind={kind} progress={checks.progressOf(kind)} />
        ))}
        <Settings domain={domain} />
        <SigningKeys domain={domain} />
      </Stack>
      {deleting && (
        <ConfirmDialog
          title={t('records.deleteTitle', { name: domain.domain })}
          text={t('deleteBody')}
          confirmLabel={t('delete')}
          onClose={() => setDeleting(false)}
          onConfirm={() => remove.mutateAsync({ id: domain.id })}
        />
      )}
    </>
  );
}

const looks = {
  pending: { color: 'marine', icon: IconInfoCircle },
  verified: { color: 'green', icon: IconCheck },
  failing: { color: 'red', icon: IconAlertTriangle },
} as const;

/** What the status means, and what else stands in the way. */
function StatusNotice({ domain, isNew }: { domain: DomainDetails; isNew: boolean }) {
  const { t } = useTranslation('domains');
  const format = useFormat();
  const { orgId } = useOrganization();
  const { status, missing_settings: missing } = domain;
  const { color, icon: Icon } = looks[status];
  return (
    <>
      <Alert color={color} icon={<Icon size={18} />} title={t(`status.${status}`)} role="status">
        <Text size="sm">{t(`effect.${status}`, { domain: domain.domain })}</Text>
        {isNew && status === 'verified' && (
          <Group gap="xs" mt="xs">
            <Text size="sm">{t('done')}</Text>
            <LinkButton size="xs" to="/o/$orgId/campaigns" params={{ orgId }}>
              {t('toCampaigns')}
            </LinkButton>
          </Group>
        )}
      </Alert>
      {domain.is_taken && <Notice title={t('takenTitle')}>{t('taken')}</Notice>}
      {missing.length > 0 && (
        <Notice title={t('settingsMissing.title')}>
          {t('settingsMissing.body', { settings: format.list(missing) })}
        </Notice>
      )}
    </>
  );
}

const Notice = ({ title, children }: { title: string; children: string }) => (
  <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title={title} role="status">
    <Text size="sm">{children}</Text>
  </Alert>
);

function Settings({ domain }: { domain: DomainDetails }) {
  const { t } = useTranslation(['domains', 'common']);
  const [changing, setChanging] = useState(false);
  return (
    <SectionCard title={t('words.settings')}>
      <Stack gap="md">
        <ValueList
          values={[
            { name: t('common:owner.label'), value: <OwnerChip owner={domain} /> },
            {
              name: t('words.website'),
              value: <span className="break">{domain.destination ?? t('words.none')}</span>,
            },
          ]}
        />
        <Group>
          <PermittedButton permission={['update', 'Domain']} onClick={() => setChanging(true)}>
            {t('change')}
          </PermittedButton>
        </Group>
      </Stack>
      {changing && <DomainSettings domain={domain} onClose={() => setChanging(false)} />}
    </SectionCard>
  );
}
