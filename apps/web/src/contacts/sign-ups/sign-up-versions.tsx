import { Anchor, Stack, Text } from '@mantine/core';
import type { SignUpForm, SignUpFormVersion } from '@reachout/contract/sign-up-forms.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { languageNames } from '#web/i18n/i18n.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { FinePrint } from '#web/ui/text.ts';
import { signUpVersionsQuery } from './sign-up-queries.ts';

/** Number of versions shown initially. */
const firstVersions = 3;

interface Props {
  form: SignUpForm;
  /** Of the brand, as they are called today. */
  topics: readonly { id: string; name: string }[];
}

/** What people have agreed to, and when it was changed. */
export function SignUpVersions({ form, topics }: Props) {
  const { t } = useTranslation('signUpForms');
  const query = useQuery(signUpVersionsQuery(useOrganization(), form.id));
  const [isWhole, setWhole] = useState(false);
  return (
    <SectionCard title={t('versions.title')} hint={t('versions.hint')}>
      <AsyncRegion query={query} what={t('versions.what')}>
        {({ items }) => (
          <Stack gap="md">
            <Stack component="ul" className="plain-list" style={{ gap: 16 }}>
              {(isWhole ? items : items.slice(0, firstVersions)).map((version) => (
                <Version key={version.version} version={version} topics={topics} />
              ))}
            </Stack>
            {!isWhole && items.length > firstVersions && (
              <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setWhole(true)}>
                {t('versions.more', { count: items.length })}
              </Anchor>
            )}
          </Stack>
        )}
      </AsyncRegion>
    </SectionCard>
  );
}

function Version({ version, topics }: Pick<Props, 'topics'> & { version: SignUpFormVersion }) {
  const { t } = useTranslation('signUpForms');
  const format = useFormat();
  const at = format.dateTime(version.created_at);
  const asked = [
    languageNames[version.language],
    ...version.fields.map(({ label, is_required }) => (is_required ? `${label} *` : label)),
    ...topics.filter(({ id }) => version.topic_ids.includes(id)).map(({ name }) => name),
    ...(version.asks_tracking ? [t('versions.tracking')] : []),
  ];
  return (
    <li>
      <Text size="sm" fw={500}>
        {t('words.version', { version: version.version })}
      </Text>
      <FinePrint mb={4}>
        {version.by === null ? at : t('versions.by', { at, name: version.by.full_name })}
      </FinePrint>
      <Text size="sm" fw={500} className="break">
        {version.title}
      </Text>
      <Text size="sm" className="break" style={{ whiteSpace: 'pre-line' }}>
        {version.consent_text}
      </Text>
      <FinePrint className="break">{asked.join(' · ')}</FinePrint>
    </li>
  );
}
