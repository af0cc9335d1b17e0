import { Code, Group, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notifyOf } from '#web/ui/notify.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { Time } from '#web/ui/time.tsx';
import { ValueList } from '#web/ui/value-list.tsx';
import { ConversionGoals } from './conversion-goals.tsx';
import { websiteQuery } from './website-query.ts';

export const WebsiteSettings = () => (
  <Stack gap="lg">
    <ConversionGoals />
    <WebsiteToken />
  </Stack>
);

/** What the tracking client sends with each event, and how to replace it. */
function WebsiteToken() {
  const { t } = useTranslation('websites');
  const scope = useOrganization();
  const { touchpoint } = useTouchpoint();
  const query = useQuery(websiteQuery(scope, touchpoint.id));
  const [rotating, setRotating] = useState(false);
  const rotate = useMutation(scope.api.websites.rotateToken.mutationOptions(notifyOf(t('token.done'))));
  return (
    <SectionCard title={t('words.accessToken')} hint={t('token.hint')}>
      <AsyncRegion query={query} what={t('what')}>
        {({ id, token, token_rotated_at }) => (
          <Stack gap="md">
            <ValueList
              values={[
                { name: t('token.id'), value: <Code className="break">{id}</Code> },
                { name: t('words.accessToken'), value: <Code className="break">{token}</Code> },
                ...(token_rotated_at === null
                  ? []
                  : [{ name: t('token.rotated'), value: <Time at={token_rotated_at} as="dateTime" /> }]),
              ]}
            />
            <Group>
              <PermittedButton permission={['update', 'Touchpoint']} onClick={() => setRotating(true)}>
                {t('token.rotate')}
              </PermittedButton>
            </Group>
          </Stack>
        )}
      </AsyncRegion>
      {rotating && (
        <ConfirmDialog
          title={t('token.rotateTitle')}
          text={t('token.rotateBody')}
          confirmLabel={t('token.rotate')}
          onClose={() => setRotating(false)}
          onConfirm={() => rotate.mutateAsync({ id: touchpoint.id })}
        />
      )}
    </SectionCard>
  );
}
