import { Anchor, Code, Group, Stack } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import { IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { QuietText } from '#web/ui/text.ts';
import { snippetOf } from './sign-up-snippet.ts';

interface Props {
  /** As stored. */
  form: SignUpForm;
  brand: { name: string };
  /** Of its collection. */
  known: readonly Field[];
  topics: readonly { id: string; name: string }[];
}

/** The link to the public page, and the HTML for other websites. */
export function SignUpShare({ form, brand, known, topics }: Props) {
  const { t } = useTranslation('signUpForms');
  const snippet = snippetOf(form, brand.name, known, topics);
  return (
    <>
      <SectionCard title={t('words.link')} hint={t('share.linkHint')}>
        <Stack gap="xs" align="flex-start">
          <Code className="break">{form.url}</Code>
          <Group gap="md">
            <CopyTextButton size="sm" text={form.url} label={t('words.copyLink')} />
            <Anchor size="sm" href={form.url} target="_blank" rel="noopener noreferrer">
              <Group gap={6} component="span">
                {t('share.open')}
                <IconExternalLink size={16} aria-hidden />
              </Group>
            </Anchor>
          </Group>
        </Stack>
      </SectionCard>
      <SectionCard title={t('share.embed')} hint={t('share.embedHint')}>
        <Stack gap="xs" align="stretch">
          {/* Long lines scroll, by keyboard too. */}
          <Code block tabIndex={0} aria-label={t('share.embed')}>
            {snippet}
          </Code>
          <div>
            <CopyTextButton size="sm" text={snippet} label={t('share.copyEmbed')} />
          </div>
          <QuietText maw={640}>{t('share.older', { version: form.version })}</QuietText>
          <QuietText maw={640}>
            {t('share.policyHint')} <Code>form-action {new URL(form.url).origin}</Code>
          </QuietText>
        </Stack>
      </SectionCard>
    </>
  );
}
