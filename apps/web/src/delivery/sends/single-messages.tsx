import { Anchor, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { meQuery } from '#web/identity/account/me-query.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { randomUuid } from '#web/platform/random-uuid.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import classes from '#web/ui/two-columns.module.css';
import { requestFields, toCommand } from './message-request.ts';
import { receiptQuery } from './send-queries.ts';

/** How a program requests a message of an email that is sent on request. */
export default function SingleMessages({ send }: { send: Send }) {
  const { t } = useTranslation('delivery');
  const scope = useOrganization();
  const query = useQuery(receiptQuery(scope, send));
  return (
    <SectionCard title={t('onRequest.request.title')} hint={t('onRequest.request.hint')}>
      <AsyncRegion
        query={query}
        what={t('onRequest.request.title')}
        skeleton={<Skeleton height={280} radius="sm" />}
      >
        {({ contact_fields }) => <Example send={send} fields={contact_fields} />}
      </AsyncRegion>
    </SectionCard>
  );
}

function Example({ send, fields }: { send: Send; fields: string[] | null }) {
  const { t } = useTranslation('delivery');
  const { can, orgId } = useOrganization();
  const { data: me } = useQuery(meQuery);
  const format = useFormat();
  // A copy of the same page is the same request, which sends nothing again.
  const [idempotencyKey] = useState(randomUuid);
  const command = toCommand({
    origin: location.origin,
    organizationId: send.organization_id,
    touchpointId: send.touchpoint_id,
    to: me?.email ?? 'ada@example.com',
    fields,
    idempotencyKey,
  });
  const read = requestFields(fields);
  const responses = [
    ['202', t('onRequest.request.accepted')],
    ['409', t('onRequest.request.off')],
    ['429', t('onRequest.request.limited')],
  ] as const;
  return (
    <Stack gap="md">
      <Text size="sm">
        {t('onRequest.request.key')}{' '}
        {can('read', 'ApiKey') && (
          <LinkAnchor to="/o/$orgId/settings/api-keys" params={{ orgId }} underline="always">
            {t('onRequest.request.toKeys')}
          </LinkAnchor>
        )}
      </Text>
      <Code block tabIndex={0} role="group" aria-label={t('onRequest.request.title')}>
        {command}
      </Code>
      <Group gap="md">
        <CopyTextButton size="xs" text={command} label={t('onRequest.request.copy')} />
        <Anchor href="/api/docs" size="sm">
          {t('words.apiReference')}
        </Anchor>
      </Group>
      <Text size="sm">
        {fields === null
          ? t('onRequest.request.anyField')
          : read.length === 0
            ? t('onRequest.request.noFields')
            : t('onRequest.request.fields', { fields: format.list(read) })}{' '}
        {t('onRequest.request.repeat')}
      </Text>
      <dl className={classes.sentences}>
        {responses.map(([status, words]) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Stack>
  );
}
