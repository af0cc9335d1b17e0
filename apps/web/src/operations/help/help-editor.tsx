import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { PageTitle, SubTitle } from '#web/ui/text.ts';
import { CategoryForm } from './category-form.tsx';
import { editedHelpQuery } from './edited-help-query.ts';
import { EntryList } from './entry-list.tsx';
import { NewEntryForm } from './new-entry-form.tsx';

type Opened = { is: 'page' } | { is: 'category'; name?: string } | { is: 'question'; category: string };

/** All pages, categories and questions of the help, with drafts. */
export function HelpEditor() {
  const { t } = useTranslation(['helpEditor', 'common']);
  useDocumentTitle(`${t('words.help')} · ${t('common:product')}`);
  const query = useQuery(editedHelpQuery);
  const navigate = useNavigate();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const pages = query.data?.pages ?? [];
  const categories = query.data?.categories ?? [];
  const namesOf = (entries: readonly { name: string }[]) => entries.map(({ name }) => name);
  return (
    <>
      <Group justify="space-between" align="start" mb="lg">
        <div>
          <PageTitle>{t('words.help')}</PageTitle>
          <Text c="dimmed">{t('intro')}</Text>
        </div>
        <LinkButton to="/help">{t('read')}</LinkButton>
      </Group>
      <AsyncRegion query={query} what={t('what')}>
        {() => (
          <Stack gap="lg">
            <SectionCard title={t('words.pages')}>
              <EntryList
                label={t('words.pages')}
                entries={pages}
                empty={t('noPages')}
                saveOrder={(names) => client.editedHelp.orderPages({ names })}
                link={({ name }, title) => (
                  <LinkAnchor to="/operator/help/$name" params={{ name }}>
                    {title}
                  </LinkAnchor>
                )}
                question={(title) => t('delete.page', { title })}
                erase={(name) => client.editedHelp.deletePage({ name })}
              />
              <NewButton label={t('newPage')} onClick={() => setOpened({ is: 'page' })} />
            </SectionCard>
            <SectionCard title={t('questions')}>
              <EntryList
                label={t('questions')}
                entries={categories}
                empty={t('noCategories')}
                saveOrder={(names) => client.editedHelp.orderFaqCategories({ names })}
                link={(_category, title) => <SubTitle>{title}</SubTitle>}
                question={(title) => t('delete.category', { title })}
                erase={(name) => client.editedHelp.deleteFaqCategory({ name })}
                items={({ name }) => (
                  <Menu.Item onClick={() => setOpened({ is: 'category', name })}>
                    {t('editCategory')}
                  </Menu.Item>
                )}
                below={({ name: category, faqs }, title) => (
                  <Stack gap="xs" mb="lg" ps="md">
                    <EntryList
                      label={title}
                      entries={faqs}
                      empty={t('noQuestions')}
                      saveOrder={(names) => client.editedHelp.orderFaqs({ category, names })}
                      link={({ name }, question) => (
                        <LinkAnchor to="/operator/help/$category/$name" params={{ category, name }}>
                          {question}
                        </LinkAnchor>
                      )}
                      question={(question) => t('delete.question', { title: question })}
                      erase={(name) => client.editedHelp.deleteFaq({ category, name })}
                    />
                    <NewButton
                      label={t('newQuestion')}
                      description={t('newQuestionIn', { title })}
                      onClick={() => setOpened({ is: 'question', category })}
                    />
                  </Stack>
                )}
              />
              <NewButton label={t('newCategory')} onClick={() => setOpened({ is: 'category' })} />
            </SectionCard>
          </Stack>
        )}
      </AsyncRegion>
      {opened?.is === 'page' && (
        <NewEntryForm
          title={t('newPage')}
          // The address of the questions.
          taken={[...namesOf(pages), 'faq']}
          onName={(name) => navigate({ to: '/operator/help/$name', params: { name } })}
          onClose={close}
        />
      )}
      {opened?.is === 'question' && (
        <NewEntryForm
          title={t('newQuestion')}
          taken={namesOf(categories.find(({ name }) => name === opened.category)?.faqs ?? [])}
          onName={(name) =>
            navigate({
              to: '/operator/help/$category/$name',
              params: { category: opened.category, name },
            })
          }
          onClose={close}
        />
      )}
      {opened?.is === 'category' && (
        <CategoryForm
          category={categories.find(({ name }) => name === opened.name)}
          taken={namesOf(categories)}
          onClose={close}
        />
      )}
    </>
  );
}

interface NewButtonProps {
  label: string;
  description?: string;
  onClick: () => void;
}

function NewButton({ label, description, onClick }: NewButtonProps) {
  return (
    <div>
      <Button mt="sm" aria-label={description} leftSection={<IconPlus size={16} />} onClick={onClick}>
        {label}
      </Button>
    </div>
  );
}
