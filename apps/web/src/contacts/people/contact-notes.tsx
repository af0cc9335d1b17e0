import { ActionIcon, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { maxNoteLength, type ContactNote } from '@reachout/contract/contacts.ts';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notify, notifyOf } from '#web/ui/notify.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { FinePrint, QuietText } from '#web/ui/text.ts';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import { notesQuery } from './contact-queries.ts';

/** Notes of users about a contact, newest first. */
export function ContactNotes({ collection, contactKey }: { collection: string; contactKey: string }) {
  const { t } = useTranslation(['collections', 'common']);
  const scope = useOrganization();
  const { api, orgId, can } = scope;
  const query = useQuery(notesQuery(scope, collection, contactKey));
  const [deleting, setDeleting] = useState<ContactNote>();
  const remove = useMutation(api.contacts.deleteNote.mutationOptions(notifyOf(t('notes.deleted'))));
  const contact = { organization_id: orgId, collection, key: contactKey };
  return (
    <SectionCard title={t('notes.title')}>
      <Stack gap="md">
        {can('update', 'Content') && <NewNote contact={contact} />}
        <AsyncRegion query={query} what={t('records.what', { records: t('notes.title') })}>
          {({ items }) =>
            items.length === 0 ? (
              <QuietText>{t('notes.empty')}</QuietText>
            ) : (
              <ul className="plain-list" style={{ gap: 16 }}>
                {items.map((note) => (
                  <Note
                    key={note.id}
                    note={note}
                    onDelete={can('update', 'Content') ? () => setDeleting(note) : undefined}
                  />
                ))}
              </ul>
            )
          }
        </AsyncRegion>
      </Stack>
      {deleting && (
        <ConfirmDialog
          title={t('notes.deleteTitle')}
          text={t('notes.deleteBody')}
          confirmLabel={t('common:actions.delete')}
          onClose={() => setDeleting(undefined)}
          onConfirm={() => remove.mutateAsync({ ...contact, id: deleting.id })}
        />
      )}
    </SectionCard>
  );
}

function NewNote({ contact }: { contact: { organization_id: string; collection: string; key: string } }) {
  const { t } = useTranslation(['collections', 'common']);
  const { api } = useOrganization();
  const [text, setText] = useState('');
  const add = useMutation(
    api.contacts.addNote.mutationOptions({
      onSuccess: () => {
        setText('');
        notify(t('notes.added'));
      },
    }),
  );
  const isEmpty = text.trim() === '';
  const isTooLong = text.length > maxNoteLength;
  const save = async (): Promise<boolean> => {
    if (isTooLong) return false;
    try {
      await add.mutateAsync({ ...contact, text });
      return true;
    } catch {
      return false;
    }
  };
  return (
    <Stack gap="xs">
      <UnsavedGuard dirty={!isEmpty} saving={add.isPending} onSave={save} />
      <Textarea
        minRows={2}
        maxRows={12}
        label={t('notes.label')}
        value={text}
        error={isTooLong && t('common:form.tooLong', { max: maxNoteLength })}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ActionError error={add.error} />
      <Group justify="flex-end">
        <Button size="sm" loading={add.isPending} disabled={isEmpty || isTooLong} onClick={() => void save()}>
          {t('notes.add')}
        </Button>
      </Group>
    </Stack>
  );
}

function Note({ note, onDelete }: { note: ContactNote; onDelete: (() => void) | undefined }) {
  const { t } = useTranslation('collections');
  const format = useFormat();
  return (
    <li>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" className="break" style={{ whiteSpace: 'pre-line' }}>
            {note.text}
          </Text>
          <FinePrint mt={2}>
            {note.by?.full_name ?? t('notes.byNobody')} ·{' '}
            <time dateTime={note.created_at}>{format.dateTime(note.created_at)}</time>
          </FinePrint>
        </div>
        {onDelete && (
          <ActionIcon aria-label={t('notes.delete')} onClick={onDelete}>
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </Group>
    </li>
  );
}
