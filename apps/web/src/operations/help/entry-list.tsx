// By hand: its rows belong to the installation, and have an order that is changed in it.
import { ActionIcon, Badge, Group, Menu, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowBackUp, IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languages } from '@reachout/contract/rules/languages.ts';
import { languageNames } from '#web/i18n/i18n.ts';
import { changes, refresh } from '#web/platform/query-client.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notify } from '#web/ui/notify.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useLanguage } from './use-help.ts';
import classes from './help-editor.module.css';

interface Entry {
  name: string;
  en: { title: string; is_draft?: boolean };
  de: { title: string; is_draft?: boolean } | null;
  updated_at: string | null;
  is_released: boolean;
}

interface Props<E extends Entry> {
  label: string;
  entries: readonly E[];
  empty: string;
  saveOrder: (names: string[]) => Promise<unknown>;
  link: (entry: E, title: string) => ReactNode;
  /** What is asked before an entry is deleted. */
  question: (title: string) => string;
  /** Deletes the texts of operators, and shows a released entry again. */
  erase: (name: string) => Promise<unknown>;
  /** Other menu items of an entry. */
  items?: (entry: E) => ReactNode;
  /** What stands below an entry. */
  below?: (entry: E, title: string) => ReactNode;
}

/** Entries of the help in their order, which buttons change. */
export function EntryList<E extends Entry>({ label, entries, empty, saveOrder, ...of }: Props<E>) {
  const { t } = useTranslation('helpEditor');
  const isGerman = useLanguage() === 'de';
  const titleOf = ({ en, de }: E) => (isGerman && de ? de.title : en.title);
  const [said, setSaid] = useState('');
  const [erased, setErased] = useState<E>();
  const ordering = useMutation({ ...changes('me'), mutationFn: saveOrder });
  const move = (from: number, to: number) => {
    const names = entries.map(({ name }) => name);
    const [moved = ''] = names.splice(from, 1);
    names.splice(to, 0, moved);
    ordering.mutate(names, {
      onSuccess: () =>
        setSaid(t('moved', { title: titleOf(entries[from]!), number: to + 1, total: entries.length })),
    });
  };
  const button = (direction: 'up' | 'down', title: string, index: number) => {
    const to = direction === 'up' ? index - 1 : index + 1;
    const isLast = to < 0 || to >= entries.length;
    const Icon = direction === 'up' ? IconArrowUp : IconArrowDown;
    return (
      // It keeps the focus while its entry moves, also at the end of the list.
      <ActionIcon
        size={32}
        aria-label={t(direction, { title })}
        aria-disabled={isLast || ordering.isPending}
        {...(isLast ? { 'data-disabled': true } : {})}
        onClick={() => {
          if (!isLast && !ordering.isPending) move(index, to);
        }}
      >
        <Icon size={18} />
      </ActionIcon>
    );
  };
  return (
    <>
      {entries.length === 0 ? (
        <Text c="dimmed">{empty}</Text>
      ) : (
        <ul aria-label={label} className="bare">
          {entries.map((entry, index) => {
            const title = titleOf(entry);
            return (
              <li key={entry.name}>
                <div className={classes.row}>
                  <Group gap="4px 12px" flex={1} miw={0}>
                    {of.link(entry, title)}
                    <Marks entry={entry} />
                  </Group>
                  <Group gap={2} wrap="nowrap" flex="none" align="stretch" className={classes.moves}>
                    {button('up', title, index)}
                    {button('down', title, index)}
                    {(of.items || entry.updated_at !== null) && (
                      <RowMenu name={title}>
                        {of.items?.(entry)}
                        <EraseItem entry={entry} onClick={() => setErased(entry)} />
                      </RowMenu>
                    )}
                  </Group>
                </div>
                {of.below?.(entry, title)}
              </li>
            );
          })}
        </ul>
      )}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <ActionError error={ordering.error} />
      {erased && (
        <Erasure
          title={titleOf(erased)}
          question={of.question(titleOf(erased))}
          isReset={erased.is_released}
          onConfirm={() => of.erase(erased.name)}
          onClose={() => setErased(undefined)}
        />
      )}
    </>
  );
}

/** Removes what operators have written: all of an entry, or the changes of a released one. */
function EraseItem({ entry, onClick }: { entry: Entry; onClick: () => void }) {
  const { t } = useTranslation('helpEditor');
  if (entry.updated_at === null) return null;
  return entry.is_released ? (
    <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={onClick}>
      {t('reset.action')}
    </Menu.Item>
  ) : (
    <DeleteItem onClick={onClick} />
  );
}

interface ErasureProps {
  title: string;
  question: string;
  /** Shows the released entry again. */
  isReset: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

function Erasure({ title, question, isReset, onConfirm, onClose }: ErasureProps) {
  const { t } = useTranslation(['helpEditor', 'common']);
  return (
    <ConfirmDialog
      title={isReset ? t('reset.title', { title }) : question}
      confirmLabel={isReset ? t('reset.action') : t('common:actions.delete')}
      onConfirm={async () => {
        await onConfirm();
        await refresh('me');
        notify(t(isReset ? 'reset.done' : 'words.deleted'));
      }}
      onClose={onClose}
    >
      {t(isReset ? 'reset.body' : 'delete.body')}
    </ConfirmDialog>
  );
}

/** What readers of a language do not see, and whether an operator has changed a released entry. */
function Marks({ entry }: { entry: Entry }) {
  const { t } = useTranslation('helpEditor');
  const missing = languages.flatMap((language) => {
    const text = entry[language];
    if (text !== null && text.is_draft !== true) return [];
    const tone = text === null ? 'yellow' : 'gray';
    return [{ tone, words: t(text === null ? 'missing' : 'draft', { language: languageNames[language] }) }];
  });
  const changed =
    entry.is_released && entry.updated_at !== null ? [{ tone: 'marine', words: t('words.changed') }] : [];
  return [...changed, ...missing].map(({ tone, words }) => (
    <Badge key={words} variant="light" color={tone} className="status-badge" data-tone={tone}>
      {words}
    </Badge>
  ));
}
