import { Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { HelpPage as Page } from '@reachout/contract/help.ts';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, Navigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { NotFoundState } from '#web/ui/states.tsx';
import { legalPages } from './help-queries.ts';
import { HelpText } from './help-text.tsx';
import { useHelp, useLanguage } from './use-help.ts';
import classes from './help.module.css';

/** One page of the help, with links to the others. */
export function HelpPage({ name }: { name: string }) {
  const { t } = useTranslation(['help', 'common']);
  const query = useHelp();
  const page = query.data?.pages.find((other) => other.name === name);
  const title = page?.title ?? (query.data ? t('common:notFound.title') : t('words.help'));
  useDocumentTitle(`${title} · ${t('common:product')}`);
  // The questions are on the first page of the help.
  if (name === 'faq') return <Navigate replace to="/help" hash="questions" />;
  return (
    <AsyncRegion page query={query} what={t('what')}>
      {({ pages }) =>
        page ? (
          <div className={classes.columns}>
            <Article page={page} />
            <nav aria-label={t('allPages')}>
              <ul className={classes.pages}>
                {pages
                  .filter((other) => !legalPages.includes(other.name))
                  .map((other) => (
                    <li key={other.name}>
                      <Link to="/help/$page" params={{ page: other.name }} className={classes.entry}>
                        {other.title}
                      </Link>
                    </li>
                  ))}
              </ul>
            </nav>
          </div>
        ) : (
          <NotFoundState
            actions={
              <LinkButton variant="filled" to="/help">
                {t('back')}
              </LinkButton>
            }
          />
        )
      }
    </AsyncRegion>
  );
}

function Article({ page: { title, content, locale } }: { page: Page }) {
  const { t } = useTranslation('help');
  const language = useLanguage();
  return (
    <article className={classes.article}>
      <LinkAnchor to="/help" className={classes.back}>
        <IconArrowLeft size={16} aria-hidden />
        {t('back')}
      </LinkAnchor>
      <Title order={1} mb="md" lang={locale === language ? undefined : locale}>
        {title}
      </Title>
      <HelpText hasAnchors text={content} language={locale} level={2} />
    </article>
  );
}
