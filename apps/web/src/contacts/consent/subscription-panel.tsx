import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Subscription } from '@reachout/contract/consent.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { ChangeDialog, type SubscriptionChange } from './change-dialog.tsx';
import { SubscriptionBadge } from './subscription-badge.tsx';
import { subscriptionQuery } from './subscription-queries.ts';
import { SubscriptionRow } from './subscription-row.tsx';

const ChoicesDialog = lazy(() => import('./choices-dialog.tsx'));

interface Props {
  collection: string;
  contactKey: string;
}

/** Whether a contact gets email from each brand, since when and why not, and the actions to change it. */
export function SubscriptionPanel({ collection, contactKey }: Props) {
  const { t } = useTranslation('consent');
  const [change, setChange] = useState<SubscriptionChange>();
  const [choicesOf, setChoicesOf] = useState<string>();
  const scope = useOrganization();
  const query = useQuery(subscriptionQuery(scope, collection, contactKey));
  const chosen = query.data?.brands.find(({ id }) => id === choicesOf);
  return (
    <Paper withBorder p="md" radius="md" component="section" aria-label={t('title')}>
      <AsyncRegion query={query} what={t('what')} skeleton={<PanelSkeleton height={120} />}>
        {(subscription) => (
          <Stack gap="sm">
            <Group justify="space-between" gap="xs">
              <Title order={2} size="h3">
                {t('title')}
              </Title>
              <SubscriptionBadge summary={subscription} />
            </Group>
            {subscription.state === 'no_address' ? (
              <Text size="sm">{t('noAddress')}</Text>
            ) : (
              <Rows
                subscription={subscription}
                onChange={(act, brand) => setChange({ act, brand, collection, subscription })}
                onChoices={setChoicesOf}
              />
            )}
          </Stack>
        )}
      </AsyncRegion>
      {change && <ChangeDialog change={change} onClose={() => setChange(undefined)} />}
      {query.data && chosen && (
        <Suspense>
          <ChoicesDialog
            collection={collection}
            subscription={query.data}
            brand={chosen}
            onClose={() => setChoicesOf(undefined)}
          />
        </Suspense>
      )}
    </Paper>
  );
}

/** Number of brands shown initially. */
const firstBrands = 6;

interface RowsProps {
  subscription: Subscription;
  onChange: (act: SubscriptionChange['act'], brand: SubscriptionChange['brand']) => void;
  onChoices: (brandId: string) => void;
}

function Rows({ subscription, onChange, onChoices }: RowsProps) {
  const { t } = useTranslation('consent');
  const { clientId } = useOrganization();
  const [isWhole, setWhole] = useState(false);
  const { brands, brands_count } = subscription;
  const client = clientId === undefined ? undefined : brands[0]?.client.name;
  const ofAll = subscription.suppressions.filter(({ brand_id }) => brand_id === null);
  const shown = isWhole ? brands : brands.slice(0, firstBrands);
  return (
    <>
      <Stack component="ul" className="plain-list" style={{ gap: 16 }}>
        <SubscriptionRow
          name={t('allBrands')}
          brand={null}
          // The rows of the brands show it below.
          state={ofAll[0]?.state}
          subscription={subscription}
          onChange={onChange}
          onChoices={onChoices}
        />
        {client !== undefined && (
          <Text component="li" size="sm" c="dimmed" className="break">
            {t('ofClient', { client })}
          </Text>
        )}
        {shown.map((brand) => (
          <SubscriptionRow
            key={brand.id}
            name={
              client === undefined ? t('brand', { client: brand.client.name, brand: brand.name }) : brand.name
            }
            brand={brand}
            state={brand.state}
            subscription={subscription}
            onChange={onChange}
            onChoices={onChoices}
          />
        ))}
      </Stack>
      {brands_count === 0 && (
        <Text size="sm" c="dimmed">
          {t(clientId === undefined ? 'noBrands' : 'noBrandsOfClient')}
        </Text>
      )}
      {shown.length < brands.length && (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setWhole(true)}>
          {t(brands.length < brands_count ? 'showFirst' : 'showAll', { count: brands.length })}
        </Anchor>
      )}
      {isWhole && brands.length < brands_count && (
        <Text size="sm" c="dimmed">
          {t('more', { count: brands.length, brands: brands_count })}
        </Text>
      )}
    </>
  );
}
