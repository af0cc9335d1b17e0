import { Group, Text } from '@mantine/core';
import type { DomainDetails } from '@reachout/contract/domains.ts';
import { domainCheckKinds } from '@reachout/contract/states/domain.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { languages } from '@reachout/contract/rules/languages.ts';
import { languageNames } from '#web/i18n/i18n.ts';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { administratorTexts } from './administrator-texts.ts';
import { recordsToShow } from './check-state.ts';

/** Copies all records as a message to the person who manages the DNS. */
export function ForAdministrator({ domain }: { domain: DomainDetails }) {
  const { t } = useTranslation('domains');
  const label = useId();
  const records = domainCheckKinds
    .flatMap((kind) => recordsToShow(domain, kind))
    .map(({ type, name, value }) => `${type} ${name}\n${value}`);
  return (
    <Group gap="xs" role="group" aria-labelledby={label}>
      <Text size="sm" id={label}>
        {t('forAdministrator')}
      </Text>
      {languages.map((language) => {
        const { intro, end } = administratorTexts[language];
        const text = [intro.replace('{{domain}}', domain.domain), ...records, end].join('\n\n');
        return (
          <CopyTextButton key={language} size="compact-sm" text={text} label={languageNames[language]} />
        );
      })}
    </Group>
  );
}
