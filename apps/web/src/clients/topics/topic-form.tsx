import { Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { Topic } from '@reachout/contract/topics.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';

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
  const form = useServerForm({
    initial: {
      name: topic?.name ?? '',
      description: topic?.description ?? '',
      audience: topic?.is_default === false ? 'chosen' : 'default',
    },
    limits: { description: 500 },
    checks: { name: useNameCheck() },
    fieldOfCode: { name_taken: 'name' },
    submit: async ({ audience, ...values }) => {
      const stored = { ...values, is_default: audience === 'default' };
      await (topic === undefined
        ? create.mutateAsync({ id: brandId, ...stored })
        : update.mutateAsync({ id: topic.id, ...stored }));
      notify(t(topic === undefined ? 'created' : 'common:actions.saved'));
      onClose();
    },
  });
  const { getInputProps } = form.fields;
  const becomesChosen = topic?.is_default === true && form.fields.getValues().audience === 'chosen';
  return (
    <FormDrawer
      opened
      onClose={onClose}
      title={topic === undefined ? t('new') : topic.name}
      form={form}
      submitLabel={topic === undefined ? t('new') : t('common:actions.save')}
    >
      <TextInput data-autofocus label={t('name')} description={t('nameHint')} {...getInputProps('name')} />
      <Textarea
        autosize
        minRows={2}
        maxRows={6}
        label={`${t('description')} ${t('common:optional')}`}
        description={t('descriptionHint')}
        {...getInputProps('description')}
      />
      <Radio.Group label={t('audience.title')} {...getInputProps('audience')}>
        <Stack gap="xs">
          <Radio value="default" label={t('audience.default')} description={t('audience.defaultHint')} />
          <Radio value="chosen" label={t('audience.chosen')} description={t('audience.chosenHint')} />
        </Stack>
      </Radio.Group>
      {becomesChosen && (
        <Text size="sm" role="status">
          {topic.subscribed_count === null
            ? t('becomesChosen')
            : t('becomesChosenCount', { count: topic.subscribed_count })}
        </Text>
      )}
    </FormDrawer>
  );
}
