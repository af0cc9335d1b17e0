import type { AuditEntry } from '@reachout/contract/audit-log.ts';
import { linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { useAuditRecordName } from './audit-action.ts';

/** The name of the entry's record, linked to its page if it has one. */
export function AuditRecord({ entry }: { entry: AuditEntry }) {
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
