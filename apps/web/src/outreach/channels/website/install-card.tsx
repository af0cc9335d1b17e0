import { Code, NativeSelect, Stack, Text } from '@mantine/core';
import type { Website } from '@reachout/contract/websites.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { QuietText, SubTitle } from '#web/ui/text.ts';

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
          <SubTitle mb={4}>{t('install.consent')}</SubTitle>
          <QuietText maw={640} mb={6}>
            {t('install.consentHint')}
          </QuietText>
          <Snippet text={consentOf(kind).join('\n')} label={t('install.consent')} />
        </div>
        <div>
          <SubTitle mb={4}>{t('install.policy')}</SubTitle>
          <QuietText maw={640} mb={6}>
            {t('install.policyHint')}
          </QuietText>
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

const snippetKinds = ['html', 'gtm', 'react', 'vue', 'next', 'npm'] as const;
type SnippetKind = (typeof snippetKinds)[number];

/** Kinds whose snippet is a script tag, where the others import the package. */
const tagKinds: readonly SnippetKind[] = ['html', 'gtm', 'next'];

type Installed = Pick<Website, 'id' | 'token' | 'tracker_url' | 'linked_hosts'>;

/** The origin that the tracking client is loaded from, and sends to. */
const originOf = ({ tracker_url }: Installed): string => new URL(tracker_url).origin;

/** What a website needs to send events, by how it is built. */
function snippetOf(kind: SnippetKind, website: Installed): string {
  const { id, token, tracker_url, linked_hosts } = website;
  const hosts = linked_hosts.join(' ');
  const attributes = `data-website-id="${id}" data-token="${token}"${hosts && ` data-hosts="${hosts}"`}`;
  const npm = `import { createTracker } from '@reachout/tracker';

const tracker = createTracker({
  url: '${originOf(website)}',
  websiteId: '${id}',
  token: '${token}',${hosts && `\n  hosts: ['${linked_hosts.join("', '")}'],`}
});`;
  switch (kind) {
    case 'html':
      return `<script async src="${tracker_url}" ${attributes}></script>`;
    // It removes attributes that it does not know from script tags.
    case 'gtm':
      return `<script>
  var script = document.createElement('script');
  script.async = true;
  script.src = '${tracker_url}';
  script.dataset.websiteId = '${id}';
  script.dataset.token = '${token}';${hosts && `\n  script.dataset.hosts = '${hosts}';`}
  document.head.appendChild(script);
</script>`;
    case 'next':
      return `import Script from 'next/script';

// Within <body>:
<Script src="${tracker_url}" ${attributes} />`;
    default:
      return npm;
  }
}

/** What to add where visitors must agree first: to the snippet, and for when they did. */
function consentOf(kind: SnippetKind): [option: string, call: string] {
  if (!tagKinds.includes(kind)) return [`consent: 'required',`, 'tracker.setConsent(true);'];
  const option = kind === 'gtm' ? `script.dataset.consent = 'required';` : 'data-consent="required"';
  return [option, `(window.reachout ||= []).push(['setConsent', true]);`];
}

const policyOf = (website: Installed): string =>
  `script-src ${originOf(website)}; connect-src ${originOf(website)}`;
