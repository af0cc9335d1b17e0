import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { NotFoundState } from '#web/ui/states.tsx';
import { editedHelpQuery } from './edited-help-query.ts';
import { TextEditor } from './text-editor.tsx';

type EditedHelp = Awaited<ReturnType<NonNullable<(typeof editedHelpQuery)['queryFn']>>>;

const empty = { en: null, de: null, updated_at: null };

/** Edits a page, or starts one with a name that none has. */
export function EditPage({ name }: { name: string }) {
  const { query, version, reload } = useEditedHelp();
  const save = useMutation(api.editedHelp.savePage.mutationOptions());
  return (
    <HelpRegion query={query}>
      {({ pages }) => (
        <TextEditor
          key={version}
          kind="page"
          entry={{ ...(pages.find((page) => page.name === name) ?? empty), screens: null }}
          path={`/help/${name}`}
          save={({ screens: _screens, ...change }) => save.mutateAsync({ name, ...change })}
          onReload={reload}
        />
      )}
    </HelpRegion>
  );
}

/** Edits a question, or starts one with a name that none of the category has. */
export function EditQuestion({ category, name }: { category: string; name: string }) {
  const { t } = useTranslation(['helpEditor', 'common']);
  const { query, version, reload } = useEditedHelp();
  const save = useMutation(api.editedHelp.saveFaq.mutationOptions());
  return (
    <HelpRegion query={query}>
      {({ categories }) => {
        const faqs = categories.find((other) => other.name === category)?.faqs;
        if (!faqs)
          return (
            <>
              <WindowTitle title={t('common:notFound.title')} />
              <NotFoundState
                actions={
                  <LinkButton variant="filled" to="/operator/help">
                    {t('back')}
                  </LinkButton>
                }
              />
            </>
          );
        return (
          <TextEditor
            key={version}
            kind="question"
            entry={faqs.find((faq) => faq.name === name) ?? { ...empty, screens: [] }}
            path={`/help#${category}.${name}`}
            save={(change) => save.mutateAsync({ category, name, ...change })}
            onReload={reload}
          />
        );
      }}
    </HelpRegion>
  );
}

interface RegionProps {
  query: UseQueryResult<EditedHelp>;
  children: (help: EditedHelp) => ReactNode;
}

/** Until there is an entry with a title, the window has that of the help. */
function HelpRegion({ query, children }: RegionProps) {
  const { t } = useTranslation('helpEditor');
  return (
    <>
      {query.data === undefined && <WindowTitle title={t('words.help')} />}
      <AsyncRegion page query={query} what={t('what')}>
        {children}
      </AsyncRegion>
    </>
  );
}

function WindowTitle({ title }: { title: string }) {
  const { t } = useTranslation();
  useDocumentTitle(`${title} · ${t('product')}`);
  return null;
}

/** @returns the stored help, and a number that changes when a form is to start anew with it */
function useEditedHelp() {
  const query = useQuery(editedHelpQuery);
  const [version, setVersion] = useState(0);
  const reload = async () => {
    await query.refetch();
    setVersion((before) => before + 1);
  };
  return { query, version, reload };
}
