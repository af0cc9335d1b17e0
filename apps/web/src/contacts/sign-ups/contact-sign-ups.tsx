import { Button, Stack, Text } from '@mantine/core';
import type { SignUp } from '@reachout/contract/sign-up-forms.ts';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { FinePrint, QuietText } from '#web/ui/text.ts';
import { ValueList } from '#web/ui/value-list.tsx';
import { signUpsQuery } from './sign-up-queries.ts';

/** What a contact has signed up for and when, with the proof as a file. */
export function ContactSignUps({ collection, contactKey }: { collection: string; contactKey: string }) {
  const { t } = useTranslation('signUps');
  const scope = useOrganization();
  const query = useQuery(signUpsQuery(scope, collection, contactKey));
  const key = encodeURIComponent(contactKey);
  return (
    <SectionCard title={t('title')}>
      <AsyncRegion query={query} what={t('records.what', { records: t('title') })}>
        {({ items }) =>
          items.length === 0 ? (
            <QuietText>{t('none')}</QuietText>
          ) : (
            <Stack gap="md" align="flex-start">
              <Stack component="ul" className="plain-list" style={{ gap: 16 }}>
                {items.map((signUp) => (
                  <OneSignUp key={signUp.id} signUp={signUp} />
                ))}
              </Stack>
              <div>
                <Button
                  component="a"
                  href={`/api/content/${scope.orgId}/consent/${collection}/${key}/sign_ups/export`}
                  download
                  size="sm"
                  leftSection={<IconDownload size={16} />}
                >
                  {t('download')}
                </Button>
                <FinePrint mt={4}>{t('downloadHint')}</FinePrint>
              </div>
            </Stack>
          )
        }
      </AsyncRegion>
    </SectionCard>
  );
}

function OneSignUp({ signUp }: { signUp: SignUp }) {
  const { t } = useTranslation('signUps');
  const { orgId } = useOrganization();
  const format = useFormat();
  const timeOf = (at: string, network: string | null) =>
    network === null ? format.dateTime(at) : t('network', { at: format.dateTime(at), network });
  const { form_name: name, brand, confirmed_at: confirmedAt, topics, source_page: source } = signUp;
  return (
    <li>
      {name === null ? (
        <Text size="sm">{t('deletedForm')}</Text>
      ) : (
        <LinkAnchor
          size="sm"
          className="break"
          to="/o/$orgId/sign-up-forms/$formId"
          params={{ orgId, formId: signUp.form_id }}
        >
          {name}
        </LinkAnchor>
      )}
      <FinePrint mb="xs" className="break">
        {brand.name}
      </FinePrint>
      <ValueList
        values={[
          { name: t('words.requested'), value: timeOf(signUp.requested_at, signUp.requested_ip_prefix) },
          {
            name: t('words.confirmed'),
            value: confirmedAt === null ? t('notConfirmed') : timeOf(confirmedAt, signUp.confirmed_ip_prefix),
          },
          { name: t('words.text'), value: t('words.version', { version: signUp.version }) },
          ...(topics.length === 0
            ? []
            : [{ name: t('words.topics'), value: format.list(topics.map((topic) => topic.name)) }]),
          ...(source === null
            ? []
            : [{ name: t('words.page'), value: <span className="break">{source}</span> }]),
        ]}
      />
    </li>
  );
}
