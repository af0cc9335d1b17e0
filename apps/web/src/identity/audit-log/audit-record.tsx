import type { AuditEntry } from '@reachout/contract/audit-log.ts';
import { linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';

/** The name of the entry's record, linked to its page if it has one. */
export function AuditRecord({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('common');
  const { orgId } = useOrganization();
  const name = entry.record_name ?? t('none');
  const page = pageOf(orgId, entry);
  if (page === undefined || entry.record_name === null) return <span className="break">{name}</span>;
  return (
    <LinkAnchor className="break" {...page}>
      {name}
    </LinkAnchor>
  );
}

function pageOf(orgId: string, { action, record_type, record_id: id }: AuditEntry) {
  if (id === null || action.endsWith('.delete')) return undefined;
  switch (record_type) {
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
