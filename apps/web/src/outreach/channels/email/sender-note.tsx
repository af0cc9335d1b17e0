import { Skeleton } from '@mantine/core';
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
  // As wide as most, so that the page below does not move once it is known.
  if (data === undefined) return <Skeleton height={10} width={176} />;
  return data.from_email ? t('from', { address: data.from_email }) : t('noSender');
}
