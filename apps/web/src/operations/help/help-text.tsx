import { Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { QuietText } from '#web/ui/text.ts';
import type { MarkdownProps } from './markdown.tsx';
import { useLanguage } from './use-help.ts';

/** Lazy, so that the parser is a file of its own. */
const Markdown = lazy(async () => {
  const { Markdown: component } = await loadChunk(() => import('./markdown.tsx'));
  return { default: component };
});

interface Props extends MarkdownProps {
  /** The language of the text, which is English where there is no translation. By default, that of the page. */
  language?: Language;
}

/** A text of the help, with a note if it is not in the language of the page. */
export function HelpText({ language, ...text }: Props) {
  const { t } = useTranslation('help');
  const own = useLanguage();
  const isOther = language !== undefined && language !== own;
  return (
    <>
      {isOther && <QuietText mb="xs">{t('englishOnly')}</QuietText>}
      <div lang={isOther ? language : undefined}>
        <Suspense
          fallback={
            <Stack gap={10} aria-busy="true">
              <Skeleton height={10} />
              <Skeleton height={10} width="90%" />
              <Skeleton height={10} width="60%" />
            </Stack>
          }
        >
          <Markdown {...text} />
        </Suspense>
      </div>
    </>
  );
}
