import { Button, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import {
  IconBuilding,
  IconColorSwatch,
  IconForms,
  IconMail,
  IconSearch,
  IconSpeakerphone,
  IconTemplate,
  IconUser,
  IconUsersGroup,
  type Icon,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { maxSearchLength } from '#web/ui/search-field.tsx';
import { QuietText } from '#web/ui/text.ts';
import { usePaletteEntries, type PaletteEntry, type PaletteOpens } from './use-palette-entries.ts';
import { recordKinds, shown, usePaletteRecords, type FoundRecord } from './use-palette-records.ts';
import classes from './command-palette.module.css';

const kindIcons: Record<FoundRecord['kind'], Icon> = {
  clients: IconBuilding,
  brands: IconColorSwatch,
  campaigns: IconSpeakerphone,
  touchpoints: IconMail,
  templates: IconTemplate,
  audiences: IconUsersGroup,
  signUpForms: IconForms,
  contacts: IconUser,
};

const optionId = (id: string) => `palette-${id.replaceAll(' ', '-')}`;

/** Shorter than the default, because the entries above the records change at each key. */
const searchDelayMs = 120;

interface Props extends PaletteOpens {
  onClose: () => void;
}

/** Opens pages and records, and runs actions, by parts of their names. */
export default function CommandPalette({ onClose, ...opens }: Props) {
  const { t } = useTranslation(['palette', 'common']);
  const [[store, { open }]] = useState(createSpotlight);
  const [query, setQuery] = useState('');
  const [search] = useDebouncedValue(query.trim(), searchDelayMs);
  const { records, isCut, isSearching, unsearchedCount, hasFailed, retry } = usePaletteRecords(search);
  const { actions, pages } = usePaletteEntries(opens);
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  useEffect(open, [open]);
  const hasMoved = useRef(false);
  // The library keeps the selection in the document only, and loses it with the entry. Until an arrow key is pressed, the
  // first entry is selected, in whatever order the searches respond.
  const keepSelection = () => {
    const first = list.current?.querySelector('[data-action]');
    const before = list.current?.querySelector('[data-selected]');
    const selected = (hasMoved.current ? before : undefined) ?? first;
    if (selected === first) store.setState({ ...store.getState(), selected: 0 });
    if (selected !== before) before?.removeAttribute('data-selected');
    selected?.setAttribute('data-selected', 'true');
    setActive(selected?.id);
  };
  const keepSelectionSoon = (event: KeyboardEvent<HTMLInputElement>) => {
    hasMoved.current ||= event.key === 'ArrowDown' || event.key === 'ArrowUp';
    requestAnimationFrame(keepSelection);
  };
  useEffect(() => {
    const frame = requestAnimationFrame(keepSelection);
    return () => cancelAnimationFrame(frame);
  });

  const changeQuery = (next: string) => {
    hasMoved.current = false;
    setQuery(next);
  };
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ label, detail = '', isRare = false }: PaletteEntry) =>
    (!isRare || words.length > 0) && words.every((word) => `${label} ${detail}`.toLowerCase().includes(word));
  const groups = [
    { name: 'actions' as const, entries: actions.filter(matches) },
    { name: 'pages' as const, entries: pages.filter(matches) },
    ...recordKinds.map((kind) => ({
      name: kind,
      entries: records
        .filter((record) => record.kind === kind)
        .map(({ id, name, detail, link }): PaletteEntry => ({
          id: `${kind}-${id}`,
          label: name,
          detail,
          icon: kindIcons[kind],
          run: () => void navigate(link),
        })),
    })),
  ].filter(({ entries }) => entries.length > 0);
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  const isTooLong = query.trim().length > maxSearchLength;
  const optionsId = 'palette-options';
  // What scrolls is the listbox itself: the arrow keys scroll it, and it needs no tab stop. The library's types omit
  // properties of the scroll area.
  const scrolling = { viewportProps: { id: optionsId, role: 'listbox', 'aria-label': t('results') } };

  return (
    <Spotlight.Root
      store={store}
      query={query}
      shortcut={null}
      scrollable
      maxHeight="min(60vh, 520px)"
      aria-label={t('words.searchEverything')}
      onQueryChange={changeQuery}
      onSpotlightClose={onClose}
    >
      <Spotlight.Search
        placeholder={t('placeholder')}
        leftSection={<IconSearch size={18} />}
        role="combobox"
        aria-label={t('words.searchEverything')}
        aria-expanded
        aria-controls={optionsId}
        aria-autocomplete="list"
        aria-activedescendant={active}
        onKeyDown={keepSelectionSoon}
      />
      <Spotlight.ActionsList ref={list} id="palette-list" {...scrolling}>
        {groups.map(({ name, entries }) => (
          <div key={name} role="group" aria-label={t(`words.${name}`)}>
            <Text fz="sm" fw={600} c="dimmed" px={12} pt={8} pb={4} aria-hidden>
              {t(`words.${name}`)}
            </Text>
            {entries.map(({ id, label, detail, icon: EntryIcon, run }) => (
              <Spotlight.Action
                key={id}
                // The library has no property for the id.
                ref={(element) => {
                  if (element) element.id = optionId(id);
                }}
                role="option"
                aria-selected={active === optionId(id)}
                label={label}
                description={detail ?? ''}
                leftSection={<EntryIcon size={18} aria-hidden />}
                classNames={{ action: classes.action ?? '', actionBody: classes.body ?? '' }}
                onClick={run}
              />
            ))}
          </div>
        ))}
        {count === 0 && !isSearching && !hasFailed && !isTooLong && (
          <Text ta="center" px={12} py={20}>
            {t('none', { query: query.trim() })}
          </Text>
        )}
      </Spotlight.ActionsList>
      <Spotlight.Footer className={classes.footer ?? ''}>
        <QuietText role="status">{isSearching ? t('searching') : t('count', { count })}</QuietText>
        {isCut && <QuietText>{t('cut', { max: shown })}</QuietText>}
        {isTooLong && (
          <Text size="sm" role="alert">
            {t('common:form.tooLong', { max: maxSearchLength })}
          </Text>
        )}
        {unsearchedCount > 0 && <QuietText>{t('unsearched', { count: unsearchedCount })}</QuietText>}
        {hasFailed && (
          <Text size="sm" role="alert">
            {t('failed')}{' '}
            <Button variant="subtle" size="compact-sm" onClick={retry}>
              {t('common:actions.retry')}
            </Button>
          </Text>
        )}
      </Spotlight.Footer>
    </Spotlight.Root>
  );
}
