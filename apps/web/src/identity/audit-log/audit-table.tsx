import { Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { AuditEntry } from '@reachout/contract/audit-log.ts';
import { linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useDeviceName } from '#web/identity/account/device-name.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { ValueList } from '#web/ui/value-list.tsx';
import { Time } from '#web/ui/time.tsx';
import { useAuditActionText, useAuditDetails, useAuditRecordName } from './audit-action.ts';
import classes from './audit-details.module.css';

export function AuditTable(table: TableState<AuditEntry>) {
  const { t } = useTranslation(['settings', 'common']);
  const columns: Column<AuditEntry>[] = [
    {
      header: t('audit.when'),
      cell: (entry) => <Time at={entry.at} as="dateTime" />,
    },
    { header: t('audit.who'), cell: (entry) => <Who entry={entry} /> },
    { header: t('audit.what'), cell: (entry) => <AuditDetails entry={entry} /> },
    {
      header: t('audit.record'),
      width: 220,
      cell: (entry) => <AuditRecord entry={entry} />,
    },
    { header: t('audit.from'), cell: (entry) => entry.ip_address ?? t('common:none') },
  ];
  return <DataTable {...table} label={t('sections.audit-log')} columns={columns} />;
}

function Who({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('settings');
  return (
    <span className="break">
      {entry.user?.full_name ??
        // Declining needs only the token, no account.
        t(entry.action === 'invitations.decline' ? 'audit.invited' : 'audit.nobody')}
      {entry.api_key && (
        <Text size="xs" c="dimmed">
          {t('audit.byKey', { name: entry.api_key.name })}
        </Text>
      )}
    </span>
  );
}

/** Shows what happened, and all details on request. */
function AuditDetails({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('settings');
  const say = useAuditActionText();
  const detailsOf = useAuditDetails();
  const deviceName = useDeviceName();
  const values = [
    ...detailsOf(entry),
    { name: t('audit.device'), value: entry.user_agent && deviceName(entry.user_agent) },
    { name: t('audit.recordId'), value: entry.record_id },
  ].filter((pair): pair is { name: string; value: string } => Boolean(pair.value));
  return (
    <details className={classes.details}>
      <summary>
        <IconChevronRight size={16} stroke={1.75} aria-hidden />
        {say(entry)}
      </summary>
      <ValueList values={values} />
    </details>
  );
}

/** The name of the entry's record, linked to its page if it has one. */
function AuditRecord({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('common');
  const { orgId } = useOrganization();
  const name = useAuditRecordName()(entry);
  const page = pageOf(orgId, entry);
  if (page === undefined || name === undefined) return <span className="break">{name ?? t('none')}</span>;
  return (
    <LinkAnchor className="break" {...page}>
      {name}
    </LinkAnchor>
  );
}

function pageOf(orgId: string, { action, record_type, record_id: id, details: { collection } }: AuditEntry) {
  if (id === null || /\.delete[^.]*$/.test(action)) return undefined;
  switch (record_type) {
    case 'consent':
    case 'contacts':
      return linkOptions({
        to: '/o/$orgId/contacts/$contactId',
        params: { orgId, contactId: id },
        search: typeof collection === 'string' ? { collection } : {},
      });
    case 'content_imports':
      return typeof collection === 'string'
        ? linkOptions({ to: '/o/$orgId/collections/$collection/import', params: { orgId, collection } })
        : undefined;
    case 'clients':
      return linkOptions({ to: '/o/$orgId/clients/$clientId', params: { orgId, clientId: id } });
    case 'brands':
      return linkOptions({ to: '/o/$orgId/brands/$brandId', params: { orgId, brandId: id } });
    case 'campaigns':
      return linkOptions({ to: '/o/$orgId/campaigns/$campaignId', params: { orgId, campaignId: id } });
    case 'touchpoints':
      return linkOptions({ to: '/o/$orgId/touchpoints/$touchpointId', params: { orgId, touchpointId: id } });
    case 'templates':
      return linkOptions({ to: '/o/$orgId/templates/$templateId', params: { orgId, templateId: id } });
    case 'filters':
      return linkOptions({ to: '/o/$orgId/audiences/$audienceId', params: { orgId, audienceId: id } });
    default:
      return undefined;
  }
}
