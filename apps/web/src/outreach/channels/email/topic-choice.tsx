import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { topicsQuery } from '#web/clients/topics/topics-query.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import type { EmailDraft } from './email-draft.ts';

const none = '';

/** Selects a topic of the brand; nothing is shown for a brand without topics. The selection is saved at once. */
export function TopicChoice({ draft }: { draft: EmailDraft }) {
  const { t } = useTranslation('touchpoints');
  const scope = useOrganization();
  const { touchpoint, canEdit } = useTouchpoint();
  const { data } = useQuery(topicsQuery(scope, touchpoint.brand.id));
  const topics = data?.items ?? [];
  if (topics.length === 0) return null;
  const { topic_id: id } = draft.email;
  const topic = topics.find((one) => one.id === id);
  return (
    <Select
      maw={760}
      label={t('topic.label')}
      description={t(
        topic === undefined ? 'topic.noneHint' : topic.is_default ? 'topic.hint' : 'topic.hintChosen',
      )}
      readOnly={!canEdit}
      allowDeselect={false}
      value={id ?? none}
      onChange={(value) => void draft.save({ topic_id: value === none ? null : value })}
      data={[
        { value: none, label: t('topic.none') },
        ...topics.map(({ id: value, name: label }) => ({ value, label })),
      ]}
    />
  );
}
