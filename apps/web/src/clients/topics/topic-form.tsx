import { Text } from '@mantine/core';
import type { Topic } from '@reachout/contract/topics.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';

interface Props {
  brandId: string;
  /** Undefined for a new topic. */
  topic?: Topic | undefined;
  onClose: () => void;
}

/** Creates or changes a topic. Mount it to open it. */
export function TopicForm({ brandId, topic, onClose }: Props) {
  const { t } = useTranslation(['topics', 'common']);
  const { topics } = useOrganization().api;
  const create = useMutation(topics.create.mutationOptions());
  const update = useMutation(topics.update.mutationOptions());
  const form = useRecordForm(boundsOf('topics.create'), {
    record: topic,
    fields: {
      name: { label: t('form.name'), hint: t('nameHint') },
      description: { label: t('words.description'), hint: t('descriptionHint') },
      is_default: {
        label: t('audience.title'),
        initial: true,
        options: [
          { value: 'true', label: t('audience.default'), hint: t('audience.defaultHint') },
          { value: 'false', label: t('audience.chosen'), hint: t('audience.chosenHint') },
        ],
      },
    },
    fieldOfCode: { name_taken: 'name' },
    save: (values) =>
      topic === undefined
        ? create.mutateAsync({ id: brandId, ...values })
        : update.mutateAsync({ id: topic.id, ...values }),
    notice: t(topic === undefined ? 'created' : 'common:actions.saved'),
    onClose,
  });
  const becomesChosen = topic?.is_default === true && !form.current.is_default;
  return (
    <RecordDrawer
      form={form}
      title={topic === undefined ? t('new') : topic.name}
      submitLabel={topic === undefined ? t('new') : t('common:actions.save')}
      onClose={onClose}
    >
      {becomesChosen && (
        <Text size="sm" role="status">
          {topic.subscribed_count === null
            ? t('becomesChosen')
            : t('becomesChosenCount', { count: topic.subscribed_count })}
        </Text>
      )}
    </RecordDrawer>
  );
}
