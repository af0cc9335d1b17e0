import { IconChevronRight } from '@tabler/icons-react';
import type { AuditEntry } from '@reachout/contract/audit-log.ts';
import { linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useDeviceName } from '#web/identity/account/device-name.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { Nothing, timeColumn } from '#web/identity/lists/columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { recordPages } from '#web/identity/lists/record-pages.ts';
import { ValueList } from '#web/ui/value-list.tsx';
import { useAuditActionText, useAuditDetails, useAuditRecordName } from './audit-action.ts';
import classes from './audit-details.module.css';
import { FinePrint } from '#web/ui/text.ts';

export function useAuditColumns(): ListColumn<AuditEntry>[] {
  const { t } = useTranslation('settings');
  return [
    timeColumn('time', t('words.time'), ({ at }) => at, { as: 'dateTime' }),
    { name: 'who', header: t('audit.who'), cell: (entry) => <Who entry={entry} /> },
    { name: 'action', header: t('words.action'), cell: (entry) => <AuditDetails entry={entry} /> },
    {
      name: 'record',
      header: t('words.record'),
      width: 220,
      cell: (entry) => <AuditRecord entry={entry} />,
    },
    { name: 'from', header: t('audit.from'), cell: (entry) => entry.ip_address ?? <Nothing /> },
  ];
}

function Who({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('settings');
  return (
    <span className="break">
      {entry.user?.full_name ??
        // Declining needs only the token, no account.
        t(entry.action === 'invitations.decline' ? 'audit.invited' : 'audit.nobody')}
      {entry.api_key && <FinePrint>{t('audit.byKey', { name: entry.api_key.name })}</FinePrint>}
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
    { name: t('words.device'), value: entry.user_agent && deviceName(entry.user_agent) },
    { name: t('audit.recordId'), value: entry.record_id },
  ].filter((pair): pair is { name: string; value: string } => Boolean(pair.value));
  return (
    <details className={classes.details}>
      <summary>
        <IconChevronRight size={16} aria-hidden />
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
      return recordPages.client(orgId, id);
    case 'brands':
      return recordPages.brand(orgId, id);
    case 'campaigns':
      return recordPages.campaign(orgId, id);
    case 'touchpoints':
      return recordPages.touchpoint(orgId, id);
    case 'templates':
      return recordPages.template(orgId, id);
    case 'filters':
      return recordPages.audience(orgId, id);
    default:
      return undefined;
  }
}
