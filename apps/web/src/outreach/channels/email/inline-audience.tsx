import { Button, Stack } from '@mantine/core';
import type { Filter } from '@reachout/contract/filters.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AudienceEditor } from '#web/contacts/audiences/audience-editor.tsx';
import { NoContacts } from '#web/contacts/audiences/no-contacts.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { QuietText } from '#web/ui/text.ts';
import { chooseContacts } from './own-contacts.ts';

interface Props {
  onSaved: (filter: Filter) => Promise<void>;
  /** Omitted if there is nothing to return to. */
  onCancel?: () => void;
}

/** Creates an audience in place: its rule, and its recipients, counted while the rule is edited. */
export function InlineAudience({ onSaved, onCancel }: Props) {
  const { t } = useTranslation(['touchpoints', 'audiences', 'common']);
  const { api, orgId } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const lists = useQuery(
    api.content.collections.queryOptions({
      input: { organization_id: orgId, brand_id: touchpoint.brand.id },
    }),
  );
  const people = lists.data?.data.filter((list) => list.has_contacts);
  const own = chooseContacts(lists.data?.data ?? []);
  const owner = own?.brand ?? own?.client;
  if (people?.every((list) => list.item_count === 0))
    return <NoContacts collection={people[0]?.collection} email={touchpoint.id} />;
  return (
    <Stack gap="md">
      <QuietText>{t('audience.inlineHint')}</QuietText>
      <AudienceEditor
        start={{
          name: owner ? t('audience.allOf', { owner: owner.name }) : t('audience.everybody'),
          brand_id: touchpoint.brand.id,
        }}
        submitLabel={t('audience.useNew')}
        onSaved={onSaved}
      />
      {onCancel && (
        <div>
          <Button variant="subtle" onClick={onCancel}>
            {t('common:actions.cancel')}
          </Button>
        </div>
      )}
    </Stack>
  );
}
