import { CloseButton, Drawer, Group, Stack, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { FaqCategory, HelpPage } from '@reachout/contract/help.ts';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SidePanel } from '#web/identity/account/side-panel.tsx';
import { LinkAnchor } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { RowsSkeleton } from '#web/ui/skeletons.tsx';
import { QuietText, SectionTitle, SubTitle } from '#web/ui/text.ts';
import { helpScreenOf } from './help-screen.ts';
import { HelpText } from './help-text.tsx';
import { QuestionList, questionsOf } from './question-list.tsx';
import { roomForHelp } from './room-for-help.ts';
import { searchHelp } from './search-help.ts';
import { useHelp, useLanguage } from './use-help.ts';
import classes from './help-panel.module.css';

interface Props {
  /** Whether it was open when the page was loaded: the focus stays where it is. */
  isRestored: boolean;
  onClose: () => void;
}

/** The questions about the current screen and a search over the help, beside the page or, in narrow windows, above it. */
export default function HelpPanel({ isRestored, onClose }: Props) {
  const { t } = useTranslation(['help', 'common']);
  const isBeside = useMediaQuery(roomForHelp, undefined, { getInitialValueInEffect: false });
  if (!isBeside)
    return (
      <Drawer
        opened
        position="right"
        onClose={onClose}
        title={t('words.help')}
        closeButtonProps={{ 'aria-label': t('panel.close') }}
      >
        <CloseOnNavigation onClose={onClose} />
        <Content />
      </Drawer>
    );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, as in dialogs
    <aside
      className={classes.place}
      aria-label={t('words.help')}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <SidePanel
        name="help"
        label={t('words.help')}
        side="end"
        min={288}
        max={560}
        initial={360}
        className={classes.panel}
      >
        <div className={classes.scroll}>
          <Group justify="space-between" mb="sm">
            <SectionTitle>{t('words.help')}</SectionTitle>
            <CloseButton aria-label={t('panel.close')} onClick={onClose} />
          </Group>
          <Content takesFocus={!isRestored} />
        </div>
      </SidePanel>
    </aside>
  );
}

function CloseOnNavigation({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation();
  const [opened] = useState(pathname);
  useEffect(() => {
    if (pathname !== opened) onClose();
  });
  return null;
}

function Content({ takesFocus = false }) {
  const { t } = useTranslation(['help', 'common']);
  const query = useHelp();
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const [pageName, setPageName] = useState<string>();
  const page = query.data?.pages.find(({ name }) => name === pageName);
  return (
    <Stack gap="md">
      <TextInput
        type="search"
        data-autofocus
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just opened the help
        autoFocus={takesFocus}
        aria-label={t('search')}
        placeholder={t('search')}
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setPageName(undefined);
        }}
      />
      <AsyncRegion query={query} what={t('what')} skeleton={<RowsSkeleton rows={4} />}>
        {(help) =>
          page ? (
            <Page page={page} onBack={() => setPageName(undefined)} onPage={setPageName} />
          ) : (
            <Questions {...help} search={search} onPage={setPageName} />
          )
        }
      </AsyncRegion>
      <LinkAnchor to="/help" underline="always">
        {t('panel.all')}
      </LinkAnchor>
    </Stack>
  );
}

interface PageProps {
  page: HelpPage;
  onBack: () => void;
  onPage: (name: string) => void;
}

function Page({ page: { title, content, locale }, onBack, onPage }: PageProps) {
  const { t } = useTranslation('help');
  const language = useLanguage();
  return (
    <article>
      <UnstyledButton className={classes.link} onClick={onBack}>
        <IconArrowLeft size={16} aria-hidden />
        {t('panel.backToQuestions')}
      </UnstyledButton>
      <Title order={3} size="h4" my="sm" lang={locale === language ? undefined : locale}>
        {title}
      </Title>
      <HelpText text={content} language={locale} level={4} onPage={onPage} />
    </article>
  );
}

interface QuestionsProps {
  pages: readonly HelpPage[];
  categories: readonly FaqCategory[];
  search: string;
  onPage: (name: string) => void;
}

function Questions({ pages, categories, search, onPage }: QuestionsProps) {
  const { t } = useTranslation('help');
  const { pathname } = useLocation();
  const screen = helpScreenOf(pathname);
  const [opened, setOpened] = useState<string[]>([]);
  const all = questionsOf(categories);
  const list = (questions: typeof all): ReactNode => (
    <QuestionList questions={questions} level={4} opened={opened} onOpen={setOpened} onPage={onPage} />
  );
  if (search === '') {
    const here = all.filter(({ screens }) => screens.some((name) => name === screen));
    return (
      <section aria-label={t('panel.here')}>
        <SubTitle mb="xs">{t('panel.here')}</SubTitle>
        {here.length > 0 ? list(here) : <Text c="dimmed">{t('panel.none')}</Text>}
      </section>
    );
  }
  const foundPages = searchHelp(pages, search);
  const questions = searchHelp(all, search);
  const count = foundPages.length + questions.length;
  return (
    <>
      <QuietText role="status">{count === 0 ? t('noMatch', { search }) : t('found', { count })}</QuietText>
      {foundPages.length > 0 && (
        <section aria-label={t('pages')}>
          <SubTitle mb="xs">{t('pages')}</SubTitle>
          {foundPages.map(({ name, title }) => (
            <UnstyledButton key={name} className={classes.link} onClick={() => onPage(name)}>
              {title}
            </UnstyledButton>
          ))}
        </section>
      )}
      {questions.length > 0 && (
        <section aria-label={t('questions')}>
          <SubTitle mb="xs">{t('questions')}</SubTitle>
          {list(questions)}
        </section>
      )}
    </>
  );
}
