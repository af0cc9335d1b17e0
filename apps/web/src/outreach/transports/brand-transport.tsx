import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { SectionCard } from '#web/ui/section-card.tsx';
import { TransportChoice } from './transport-choice.tsx';
import { transportsQuery } from './transports-query.ts';

/** By which transport the emails of a brand leave; nothing while there is only that of the installation. */
export default function BrandTransport({ brand }: { brand: { id: string; name: string } }) {
  const { t } = useTranslation('transports');
  const { data: transports } = useQuery(transportsQuery(useOrganization()));
  if (transports === undefined || transports.items.length === 0) return null;
  return (
    <SectionCard id="transport" title={t('words.transport')} hint={t('choice.hintForBrand')}>
      <TransportChoice transports={transports} brand={brand} />
    </SectionCard>
  );
}
