import { ActionIcon, Badge, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languages } from '@reachout/contract/rules/languages.ts';
import { languageNames } from '#web/i18n/i18n.ts';
import { changes } from '#web/platform/query-client.ts';
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
  menu: (entry: E, title: string) => ReactNode;
  /** What stands below an entry. */
  below?: (entry: E, title: string) => ReactNode;
}

/** Entries of the help in their order, which buttons change. */
export function EntryList<E extends Entry>({
  label,
  entries,
  empty,
  saveOrder,
  link,
  menu,
  below,
}: Props<E>) {
  const { t } = useTranslation('helpEditor');
  const isGerman = useLanguage() === 'de';
  const titleOf = ({ en, de }: E) => (isGerman && de ? de.title : en.title);
  const [said, setSaid] = useState('');
  const ordering = useMutation({ ...changes('me'), mutationFn: saveOrder });
  if (entries.length === 0) return <Text c="dimmed">{empty}</Text>;
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
        variant="subtle"
        color="gray"
        size={32}
        aria-label={t(direction, { title })}
        aria-disabled={isLast || ordering.isPending}
        {...(isLast ? { 'data-disabled': true } : {})}
        onClick={() => {
          if (!isLast && !ordering.isPending) move(index, to);
        }}
      >
        <Icon size={18} stroke={1.75} />
      </ActionIcon>
    );
  };
  return (
    <>
      <ul aria-label={label} className={classes.rows}>
        {entries.map((entry, index) => {
          const title = titleOf(entry);
          return (
            <li key={entry.name}>
              <div className={classes.row}>
                <div className={classes.words}>
                  {link(entry, title)}
                  <Marks entry={entry} />
                </div>
                <div className={classes.moves}>
                  {button('up', title, index)}
                  {button('down', title, index)}
                  {menu(entry, title)}
                </div>
              </div>
              {below?.(entry, title)}
            </li>
          );
        })}
      </ul>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <ActionError error={ordering.error} />
    </>
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
    entry.is_released && entry.updated_at !== null ? [{ tone: 'marine', words: t('changed') }] : [];
  return [...changed, ...missing].map(({ tone, words }) => (
    <Badge key={words} variant="light" color={tone} className="status-badge" data-tone={tone}>
      {words}
    </Badge>
  ));
}
