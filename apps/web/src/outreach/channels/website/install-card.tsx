import { Code, NativeSelect, Stack, Text, Title } from '@mantine/core';
import type { Website } from '@reachout/contract/websites.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { consentOf, policyOf, snippetKinds, snippetOf, type SnippetKind } from './snippets.ts';

/** The snippet, and what else a website may need. */
export function InstallCard({ website }: { website: Website }) {
  const { t } = useTranslation('websites');
  const [kind, setKind] = useState<SnippetKind>('html');
  const snippet = snippetOf(kind, website);
  return (
    <SectionCard title={t('install.title')} hint={t('install.hint')}>
      <Stack gap="md" align="stretch">
        <NativeSelect
          maw={320}
          label={t('install.variant')}
          value={kind}
          data={snippetKinds.map((value) => ({ value, label: t(`install.${value}`) }))}
          onChange={({ currentTarget }) =>
            setKind(snippetKinds.find((value) => value === currentTarget.value) ?? 'html')
          }
        />
        <div>
          <Text size="sm" mb={6}>
            {t(`install.where.${kind}`)}
          </Text>
          <Snippet text={snippet} label={t('install.title')} />
          <CopyTextButton mt="xs" size="sm" text={snippet} label={t('install.copy')} />
        </div>
        <div>
          <Title order={3} size="h5" mb={4}>
            {t('install.consent')}
          </Title>
          <Text size="sm" c="dimmed" maw={640} mb={6}>
            {t('install.consentHint')}
          </Text>
          <Snippet text={consentOf(kind).join('\n')} label={t('install.consent')} />
        </div>
        <div>
          <Title order={3} size="h5" mb={4}>
            {t('install.policy')}
          </Title>
          <Text size="sm" c="dimmed" maw={640} mb={6}>
            {t('install.policyHint')}
          </Text>
          <Snippet text={policyOf(website)} label={t('install.policy')} />
        </div>
      </Stack>
    </SectionCard>
  );
}

/** Long lines scroll, by keyboard too. */
const Snippet = ({ text, label }: { text: string; label: string }) => (
  <Code block tabIndex={0} aria-label={label}>
    {text}
  </Code>
);
