import { Stack, Text, UnstyledButton } from '@mantine/core';
import { recordLists } from '@reachout/contract/record-lists.ts';
import type { Topic } from '@reachout/contract/topics.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { countColumn, textColumn } from '#web/identity/lists/columns.tsx';
import { RecordTable } from '#web/identity/lists/record-table.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notifyOf } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { TopicForm } from './topic-form.tsx';

interface Props {
  /** In their order. */
  topics: readonly Topic[];
  /** The brand whose topics they are, and its client. */
  page: { client_id: string; brand_id: string };
}

/** The topics of a brand, in the order of the preference page. */
export function TopicTable({ topics, page }: Props) {
  const { t } = useTranslation('topics');
  const { api, can } = useOrganization();
  const [open, setOpen] = useState<Topic>();
  const move = useMutation(api.topics.update.mutationOptions());
  const moveBy = (by: number) => (topic: Topic, index: number) =>
    move.mutate({ id: topic.id, position: topics[index + by]!.position });
  return (
    <>
      <ActionError error={move.error} />
      <RecordTable
        records={recordLists.topics}
        page={page}
        label={t('words.topics')}
        columns={useColumns(can('update', 'Brand', page) ? setOpen : undefined)}
        rows={topics}
        busy={move.isPending}
        nameOf={({ name }) => name}
        shown={{
          edit: { run: setOpen },
          moveUp: {
            label: t('words.moveUp'),
            isOff: (topic) => move.isPending || topic === topics[0],
            run: moveBy(-1),
          },
          moveDown: {
            label: t('words.moveDown'),
            isOff: (topic) => move.isPending || topic === topics.at(-1),
            run: moveBy(1),
          },
          delete: { open: (topic, close) => <TopicDeletion topic={topic} onClose={close} /> },
        }}
      />
      {open && <TopicForm brandId={page.brand_id} topic={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** @param onOpen  undefined for readers */
function useColumns(onOpen: ((topic: Topic) => void) | undefined): ListColumn<Topic>[] {
  const { t } = useTranslation(['topics', 'common']);
  return [
    {
      name: 'name',
      header: t('form.name'),
      cell: (topic) => (
        <Stack gap={0}>
          {onOpen === undefined ? (
            topic.name
          ) : (
            <UnstyledButton className="row-button" onClick={() => onOpen(topic)}>
              {topic.name}
            </UnstyledButton>
          )}
          {topic.description !== '' && (
            <Text size="sm" c="dimmed" className="break">
              {topic.description}
            </Text>
          )}
        </Stack>
      ),
    },
    textColumn('audience', t('audience.title'), (topic) =>
      t(topic.is_default ? 'audience.default' : 'audience.chosen'),
    ),
    countColumn('subscribed', t('subscribed'), (topic) => topic.subscribed_count),
    countColumn('declined', t('status.declined'), (topic) => topic.declined_count),
    countColumn('emails', t('emails'), (topic) => topic.used_count),
  ];
}

/** Confirms the deletion of a topic, with the number of choices deleted with it. */
function TopicDeletion({ topic, onClose }: { topic: Topic; onClose: () => void }) {
  const { t } = useTranslation(['topics', 'common']);
  const { api } = useOrganization();
  const remove = useMutation(api.topics.delete.mutationOptions(notifyOf(t('deleted'))));
  const { name, used_count, subscribed_count, declined_count } = topic;
  const choices = subscribed_count === null ? 0 : subscribed_count + (declined_count ?? 0);
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name })}
      confirmLabel={t('common:actions.delete')}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ id: topic.id })}
    >
      {(used_count ?? 0) > 0 && <Text>{t('deleteUsed', { count: used_count ?? 0 })}</Text>}
      <Text>{t(choices > 0 ? 'deleteChoices' : 'deleteBody', { count: choices })}</Text>
    </ConfirmDialog>
  );
}
