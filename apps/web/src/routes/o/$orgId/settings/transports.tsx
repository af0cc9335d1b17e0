import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadTransportTexts } from '#web/i18n/i18n.ts';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ElasticEmailKey } from '#web/outreach/transports/elastic-email-key.tsx';
import { TransportChoice } from '#web/outreach/transports/transport-choice.tsx';
import { TransportForm } from '#web/outreach/transports/transport-form.tsx';
import { TransportList } from '#web/outreach/transports/transport-list.tsx';
import { transportsQuery } from '#web/outreach/transports/transports-query.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';

export const Route = createFileRoute('/o/$orgId/settings/transports')({
  beforeLoad: loadTransportTexts,
  loader: ({ context }) =>
    context.preload((scope) => [scope.can('update', 'Organization') && transportsQuery(scope)]),
  component: Page,
});

function Page() {
  const { t } = useTranslation('transports');
  const [adding, setAdding] = useState(false);
  const add = (
    <CreateButton permission={['update', 'Organization']} onClick={() => setAdding(true)}>
      {t('add')}
    </CreateButton>
  );
  return (
    <SettingsPage section="transports" primary={add}>
      <Content isAdding={adding} onAdded={() => setAdding(false)} />
    </SettingsPage>
  );
}

function Content({ isAdding, onAdded }: { isAdding: boolean; onAdded: () => void }) {
  const { t } = useTranslation('transports');
  const query = useQuery(transportsQuery(useOrganization()));
  const { data: transports } = query;
  return (
    <Stack gap="lg">
      {transports && transports.items.length > 0 && (
        <SectionCard title={t('choice.title')} hint={t('choice.hint')}>
          <TransportChoice transports={transports} />
        </SectionCard>
      )}
      <div>
        <TransportList query={query} />
      </div>
      {transports && <ElasticEmailKey transports={transports} />}
      {transports && isAdding && <TransportForm transports={transports} onClose={onAdded} />}
    </Stack>
  );
}
