import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { SectionCard } from '#web/ui/section-card.tsx';
import { reactionsQuery } from './graph-queries.ts';
import { ReactionTable } from './reaction-list.tsx';

/** What a contact is about to get because of events, and can be spared. Nothing if nothing waits. */
export default function ContactReactions({
  collection,
  contactKey,
}: {
  collection: string;
  contactKey: string;
}) {
  const { t } = useTranslation('eventGraph');
  const { data } = useQuery(
    reactionsQuery(
      useOrganization(),
      { collection, contact_id: contactKey },
      { state: 'waiting', page_size: 100 },
    ),
  );
  if (!data || data.items.length === 0) return null;
  return (
    <SectionCard title={t('reactions.coming')}>
      <ReactionTable
        label={t('reactions.coming')}
        reactions={data.items}
        columns={['reaction', 'cause', 'due']}
      />
    </SectionCard>
  );
}
