import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { audienceCountQuery } from '#web/content/audiences/audience-count-query.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';

interface Props {
  filterId: string | null;
  contact: string | undefined;
  onContact: (id: string | undefined) => void;
}

/** Selects the recipient of the preview from the audience, by address. Default: the first one. */
export function RecipientSelect({ filterId, contact, onContact }: Props) {
  const { t } = useTranslation('touchpoints');
  const scope = useOrganization();
  const { touchpoint } = useTouchpoint();
  const filter = useQuery(
    scope.api.filters.get.queryOptions({ input: { id: filterId ?? '' }, enabled: filterId !== null }),
  );
  const audience = useQuery(audienceCountQuery(scope, touchpoint.brand.id, filter.data));
  const people = audience.data?.sample ?? [];
  return (
    <Select
      searchable
      clearable
      mb="sm"
      w={{ base: '100%', sm: 320 }}
      label={t('preview.recipient')}
      placeholder={filterId === null ? t('preview.noAudience') : t('preview.first')}
      disabled={people.length === 0}
      value={contact ?? null}
      onChange={(value) => onContact(value ?? undefined)}
      data={people.map((person) => ({ value: person.id, label: person.email }))}
    />
  );
}
