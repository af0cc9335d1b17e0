import { Button, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconPlus, IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { refresh } from '#web/platform/query-client.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notify } from '#web/ui/notify.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { CategoryForm } from './category-form.tsx';
import { editedHelpQuery } from './edited-help-query.ts';
import { EntryList } from './entry-list.tsx';
import { NewEntryForm } from './new-entry-form.tsx';

/** What is asked before an entry is deleted. */
interface Deletion {
  title: string;
  /** Shows the released entry again. */
  isReset: boolean;
  run: () => Promise<unknown>;
}

/** What an entry with texts of operators can lose. */
interface Own {
  updated_at: string | null;
  is_released: boolean;
}

type Opened =
  | { is: 'page' }
  | { is: 'category'; name?: string }
  | { is: 'question'; category: string }
  | { is: 'deletion'; deletion: Deletion };

/** All pages, categories and questions of the help, with drafts. */
export function HelpEditor() {
  const { t } = useTranslation(['helpEditor', 'common']);
  useDocumentTitle(`${t('title')} · ${t('common:product')}`);
  const query = useQuery(editedHelpQuery);
  const navigate = useNavigate();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const eraseItem = (
    { updated_at, is_released: isReset }: Own,
    question: string,
    title: string,
    run: () => Promise<unknown>,
  ) => {
    if (updated_at === null) return null;
    const open = () =>
      setOpened({
        is: 'deletion',
        deletion: { title: isReset ? t('reset.title', { title }) : question, isReset, run },
      });
    return isReset ? (
      <Menu.Item leftSection={<IconArrowBackUp size={16} stroke={1.75} />} onClick={open}>
        {t('reset.action')}
      </Menu.Item>
    ) : (
      <DeleteItem onClick={open} />
    );
  };
  const pages = query.data?.pages ?? [];
  const categories = query.data?.categories ?? [];
  const namesOf = (entries: readonly { name: string }[]) => entries.map(({ name }) => name);
  return (
    <>
      <Group justify="space-between" align="start" mb="lg">
        <div>
          <Title order={1} mb={4}>
            {t('title')}
          </Title>
          <Text c="dimmed">{t('intro')}</Text>
        </div>
        <LinkButton to="/help" variant="default">
          {t('read')}
        </LinkButton>
      </Group>
      <AsyncRegion query={query} what={t('what')}>
        {() => (
          <Stack gap="lg">
            <SectionCard title={t('pages')}>
              <EntryList
                label={t('pages')}
                entries={pages}
                empty={t('noPages')}
                saveOrder={(names) => client.editedHelp.orderPages({ names })}
                link={({ name }, title) => (
                  <LinkAnchor to="/operator/help/$name" params={{ name }}>
                    {title}
                  </LinkAnchor>
                )}
                menu={({ name, ...own }, title) =>
                  own.updated_at !== null && (
                    <RowMenu name={title}>
                      {eraseItem(own, t('delete.page', { title }), title, () =>
                        client.editedHelp.deletePage({ name }),
                      )}
                    </RowMenu>
                  )
                }
              />
              <NewButton label={t('newPage')} onClick={() => setOpened({ is: 'page' })} />
            </SectionCard>
            <SectionCard title={t('questions')}>
              <EntryList
                label={t('questions')}
                entries={categories}
                empty={t('noCategories')}
                saveOrder={(names) => client.editedHelp.orderFaqCategories({ names })}
                link={(_category, title) => (
                  <Title order={3} size="h5">
                    {title}
                  </Title>
                )}
                menu={({ name, ...own }, title) => (
                  <RowMenu name={title}>
                    <Menu.Item onClick={() => setOpened({ is: 'category', name })}>
                      {t('editCategory')}
                    </Menu.Item>
                    {eraseItem(own, t('delete.category', { title }), title, () =>
                      client.editedHelp.deleteFaqCategory({ name }),
                    )}
                  </RowMenu>
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
                      menu={({ name, ...own }, question) =>
                        own.updated_at !== null && (
                          <RowMenu name={question}>
                            {eraseItem(own, t('delete.question', { title: question }), question, () =>
                              client.editedHelp.deleteFaq({ category, name }),
                            )}
                          </RowMenu>
                        )
                      }
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
      {opened?.is === 'deletion' && (
        <ConfirmDialog
          title={opened.deletion.title}
          confirmLabel={opened.deletion.isReset ? t('reset.action') : t('common:actions.delete')}
          onConfirm={async () => {
            await opened.deletion.run();
            await refresh('me');
            notify(t(opened.deletion.isReset ? 'reset.done' : 'deleted'));
          }}
          onClose={close}
        >
          {t(opened.deletion.isReset ? 'reset.body' : 'delete.body')}
        </ConfirmDialog>
      )}
    </>
  );
}

function NewButton({
  label,
  description,
  onClick,
}: {
  label: string;
  description?: string;
  onClick: () => void;
}) {
  return (
    <div>
      <Button
        variant="default"
        mt="sm"
        aria-label={description}
        leftSection={<IconPlus size={16} stroke={1.75} />}
        onClick={onClick}
      >
        {label}
      </Button>
    </div>
  );
}
