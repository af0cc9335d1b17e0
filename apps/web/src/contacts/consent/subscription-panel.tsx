import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import type { Subscription } from '@reachout/contract/consent.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { QuietText, SectionTitle } from '#web/ui/text.ts';
import { ChangeDialog, type SubscriptionChange } from './change-dialog.tsx';
import { SubscriptionBadge } from './subscription-badge.tsx';
import { subscriptionQuery } from './subscription-queries.ts';
import { SubscriptionRow } from './subscription-row.tsx';

const ChoicesDialog = lazyPart(() => import('./choices-dialog.tsx'));

/** Whether a contact gets email from each brand, since when and why not, and the actions to change it. */
export function SubscriptionPanel({ collection, contactKey }: { collection: string; contactKey: string }) {
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
              <SectionTitle>{t('title')}</SectionTitle>
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
        <ChoicesDialog
          collection={collection}
          subscription={query.data}
          brand={chosen}
          onClose={() => setChoicesOf(undefined)}
        />
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
          name={t('words.allBrands')}
          brand={null}
          // The rows of the brands show it below.
          state={ofAll[0]?.state}
          subscription={subscription}
          onChange={onChange}
          onChoices={onChoices}
        />
        {client !== undefined && (
          <QuietText component="li" className="break">
            {t('ofClient', { client })}
          </QuietText>
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
        <QuietText>{t(clientId === undefined ? 'noBrands' : 'noBrandsOfClient')}</QuietText>
      )}
      {shown.length < brands.length && (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setWhole(true)}>
          {t(brands.length < brands_count ? 'showFirst' : 'showAll', { count: brands.length })}
        </Anchor>
      )}
      {isWhole && brands.length < brands_count && (
        <QuietText>{t('more', { count: brands.length, brands: brands_count })}</QuietText>
      )}
    </>
  );
}
