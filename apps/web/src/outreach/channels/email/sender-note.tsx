import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';

/** The sender name that recipients will see. */
export function SenderNote() {
  const { t } = useTranslation('touchpoints');
  const { api } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const { data } = useQuery(api.touchpoints.getEmail.queryOptions({ input: { id: touchpoint.id } }));
  return data && (data.from_email ? t('from', { address: data.from_email }) : t('noSender'));
}
