import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { FaqCategory, HelpPage } from '@reachout/contract/help.ts';
import { IconBook2 } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkAnchor } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { CardsSkeleton } from '#web/ui/skeletons.tsx';
import { EmptyState, NoResults } from '#web/ui/states.tsx';
import { PageTitle } from '#web/ui/text.ts';
import { legalPages } from './help-queries.ts';
import { QuestionList, questionsOf } from './question-list.tsx';
import { searchHelp } from './search-help.ts';
import { useHelp, useLanguage } from './use-help.ts';
import classes from './help.module.css';

/** All of the help: its pages, and the questions by category, or what a search finds. */
export function HelpHome({ search }: { search: string }) {
  const { t } = useTranslation(['help', 'common']);
  useDocumentTitle(`${t('words.help')} · ${t('common:product')}`);
  const navigate = useNavigate();
  const query = useHelp();
  const setSearch = (next: string) =>
    void navigate({ to: '/help', search: next === '' ? {} : { search: next }, replace: true });
  return (
    <>
      <Group justify="space-between" align="end" mb="lg">
        <div>
          <PageTitle>{t('words.help')}</PageTitle>
          <Text c="dimmed">{t('intro')}</Text>
        </div>
        <SearchField label={t('search')} value={search} onSearch={setSearch} />
      </Group>
      <AsyncRegion query={query} what={t('what')} skeleton={<CardsSkeleton cards={6} />}>
        {(help) =>
          search === '' ? (
            <All {...help} />
          ) : (
            <Found {...help} search={search} onClear={() => setSearch('')} />
          )
        }
      </AsyncRegion>
    </>
  );
}

interface Help {
  pages: readonly HelpPage[];
  categories: readonly FaqCategory[];
}

function All({ pages, categories }: Help) {
  const { t } = useTranslation('help');
  const language = useLanguage();
  const { opened, open } = useOpened();
  const shown = pages.filter(({ name }) => !legalPages.includes(name));
  if (shown.length === 0 && categories.length === 0)
    return <EmptyState icon={IconBook2} title={t('empty.title')} text={t('empty.body')} />;
  return (
    <Stack gap={40} className={classes.anchors ?? ''}>
      {shown.length > 0 && (
        <section aria-labelledby="pages">
          <Title order={2} id="pages" mb="sm">
            {t('pages')}
          </Title>
          <PageLinks pages={shown} />
        </section>
      )}
      {categories.length > 0 && (
        <section aria-labelledby="questions">
          <Title order={2} id="questions" mb="sm">
            {t('questions')}
          </Title>
          <Stack gap="xl">
            {categories.map((category) => (
              <section key={category.name} aria-labelledby={`category-${category.name}`}>
                <div lang={category.language === language ? undefined : category.language}>
                  <Title order={3} id={`category-${category.name}`} mb={4}>
                    {category.title}
                  </Title>
                  {category.description !== '' && (
                    <Text c="dimmed" mb="sm">
                      {category.description}
                    </Text>
                  )}
                </div>
                <QuestionList questions={questionsOf([category])} level={4} opened={opened} onOpen={open} />
              </section>
            ))}
          </Stack>
        </section>
      )}
    </Stack>
  );
}

function Found({ pages, categories, search, onClear }: Help & { search: string; onClear: () => void }) {
  const { t } = useTranslation('help');
  const [opened, setOpened] = useState<string[]>([]);
  const foundPages = searchHelp(pages, search);
  const questions = searchHelp(questionsOf(categories), search);
  const count = foundPages.length + questions.length;
  if (count === 0) return <NoResults text={t('noMatch', { search })} onClear={onClear} />;
  return (
    <Stack gap="xl">
      <Text role="status">{t('found', { count })}</Text>
      {foundPages.length > 0 && (
        <section aria-label={t('pages')}>
          <Title order={2} mb="sm">
            {t('pages')}
          </Title>
          <PageLinks pages={foundPages} />
        </section>
      )}
      {questions.length > 0 && (
        <section aria-label={t('questions')}>
          <Title order={2} mb="sm">
            {t('questions')}
          </Title>
          <QuestionList isMixed questions={questions} level={3} opened={opened} onOpen={setOpened} />
        </section>
      )}
    </Stack>
  );
}

function PageLinks({ pages }: { pages: readonly HelpPage[] }) {
  const language = useLanguage();
  return (
    <ul className={classes.cards}>
      {pages.map(({ name, title, locale }) => (
        <li key={name}>
          <LinkAnchor
            to="/help/$page"
            params={{ page: name }}
            className={classes.card}
            lang={locale === language ? undefined : locale}
          >
            {title}
          </LinkAnchor>
        </li>
      ))}
    </ul>
  );
}

/** Questions whose answers are shown; the address names the one opened last, so that it can be shared. */
function useOpened() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<string[]>(hash === '' ? [] : [hash]);
  const [known, setKnown] = useState(hash);
  if (known !== hash) {
    setKnown(hash);
    if (hash !== '' && !opened.includes(hash)) setOpened([...opened, hash]);
  }
  // The page was not there yet when the router looked for the question.
  useEffect(() => {
    const [anchor] = opened;
    if (anchor !== undefined) document.getElementById(anchor)?.scrollIntoView();
    // oxlint-disable-next-line react/exhaustive-deps -- later, the router scrolls to the question
  }, []);
  const open = (next: string[]) => {
    const added = next.find((anchor) => !opened.includes(anchor));
    setOpened(next);
    void navigate({
      to: '.',
      search: true,
      hash: added ?? '',
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  };
  return { opened, open };
}
