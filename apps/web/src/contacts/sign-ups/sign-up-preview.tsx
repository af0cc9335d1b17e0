import { Box } from '@mantine/core';
import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { emailPolicy, mailDocument } from '#web/ui/mail-document.ts';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { QuietText, SectionTitle } from '#web/ui/text.ts';
import { signUpPageQuery } from './sign-up-queries.ts';
import classes from './sign-up-preview.module.css';

/** The public page of a form as its visitors get it, without its buttons and links working. */
export function SignUpPreview({ form, isUnsaved }: { form: SignUpForm; isUnsaved: boolean }) {
  const { t } = useTranslation('signUpForms');
  const query = useQuery(signUpPageQuery(useOrganization(), form));
  return (
    <Box component="section" pos="sticky" top={80} miw={0} aria-label={t('words.preview')}>
      <SectionTitle>{t('words.preview')}</SectionTitle>
      <QuietText mb="sm" role="status">
        {t(!form.is_active ? 'preview.closed' : isUnsaved ? 'preview.unsaved' : 'preview.hint')}
      </QuietText>
      {form.is_active && (
        <AsyncRegion query={query} what={t('preview.what')} skeleton={<PanelSkeleton height={640} />}>
          {(html) => <Page html={html} url={form.url} />}
        </AsyncRegion>
      )}
    </Box>
  );
}

function Page({ html, url }: { html: string; url: string }) {
  const { t } = useTranslation('signUpForms');
  const frame = useRef<HTMLIFrameElement>(null);
  const shown = mailDocument(html, (page) => withPictures(page, url));
  // React would turn the checked value into a string again.
  useLayoutEffect(() => {
    if (frame.current) frame.current.srcdoc = emailPolicy.createHTML(shown);
  }, [shown]);
  return <iframe ref={frame} title={t('words.preview')} sandbox="" className={classes.frame} />;
}

/** The addresses of pictures are relative to the page, not to the screen that shows it. */
function withPictures(page: Document, url: string): void {
  for (const picture of page.querySelectorAll('img, source'))
    for (const name of ['src', 'srcset']) {
      const address = picture.getAttribute(name);
      if (address !== null) picture.setAttribute(name, new URL(address, url).pathname);
    }
}
