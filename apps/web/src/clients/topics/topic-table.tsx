import { Menu, Stack, Text, UnstyledButton } from '@mantine/core';
import type { Topic } from '@reachout/contract/topics.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { notify } from '#web/ui/notify.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';

interface Props {
  /** In their order. */
  topics: readonly Topic[];
  canUpdate: boolean;
  onOpen: (topic: Topic) => void;
}

/** The topics of a brand, in the order of the preference page. */
export function TopicTable({ topics, canUpdate, onOpen }: Props) {
  const { t } = useTranslation(['topics', 'common']);
  const { api } = useOrganization();
  const [deleting, setDeleting] = useState<Topic>();
  const move = useMutation(api.topics.update.mutationOptions());
  const columns = useColumns(canUpdate ? onOpen : undefined);
  const rowActions = (topic: Topic, index: number) => {
    const moveTo = (place: number) => move.mutate({ id: topic.id, position: topics[place]!.position });
    return (
      <RowMenu name={topic.name}>
        <Menu.Item onClick={() => onOpen(topic)}>{t('common:actions.edit')}</Menu.Item>
        <Menu.Item disabled={index === 0 || move.isPending} onClick={() => moveTo(index - 1)}>
          {t('up')}
        </Menu.Item>
        <Menu.Item disabled={index === topics.length - 1 || move.isPending} onClick={() => moveTo(index + 1)}>
          {t('down')}
        </Menu.Item>
        <DeleteItem onClick={() => setDeleting(topic)} />
      </RowMenu>
    );
  };
  return (
    <>
      <ActionError error={move.error} title={t('common:error.saveFailed')} />
      <DataTable
        label={t('title')}
        columns={columns}
        rows={topics}
        rowActions={canUpdate ? rowActions : undefined}
        busy={move.isPending}
      />
      {deleting && <TopicDeletion topic={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

/** @param onOpen  undefined for readers */
function useColumns(onOpen: ((topic: Topic) => void) | undefined): Column<Topic>[] {
  const { t } = useTranslation(['topics', 'common']);
  const format = useFormat();
  const count = (value: number | null) =>
    value === null ? <span className="nothing">{t('common:none')}</span> : format.number(value);
  return [
    {
      header: t('name'),
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
    {
      header: t('audience.title'),
      cell: ({ is_default }) => t(is_default ? 'audience.default' : 'audience.chosen'),
    },
    { header: t('subscribed'), align: 'end', cell: (topic) => count(topic.subscribed_count) },
    { header: t('declined'), align: 'end', cell: (topic) => count(topic.declined_count) },
    { header: t('emails'), align: 'end', cell: (topic) => count(topic.used_count) },
  ];
}

/** Confirms the deletion of a topic, with the number of choices deleted with it. */
function TopicDeletion({ topic, onClose }: { topic: Topic; onClose: () => void }) {
  const { t } = useTranslation(['topics', 'common']);
  const { api } = useOrganization();
  const remove = useMutation(api.topics.delete.mutationOptions({ onSuccess: () => notify(t('deleted')) }));
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
