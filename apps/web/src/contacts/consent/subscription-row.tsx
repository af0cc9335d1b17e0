import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { SubscriptionState } from '@reachout/contract/statuses.ts';
import type { Subscription } from '@reachout/contract/consent.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { QuietText } from '#web/ui/text.ts';
import type { SubscriptionChange } from './change-dialog.tsx';
import { useResubscriptionText, useSuppressionText } from './suppression-text.ts';

interface Props {
  name: string;
  /** Null for the state of all brands. */
  brand: Subscription['brands'][number] | null;
  /** Undefined if there is no state to show. */
  state: SubscriptionState | undefined;
  subscription: Subscription;
  onChange: (act: SubscriptionChange['act'], brand: SubscriptionChange['brand']) => void;
  /** Opens the choices about the brand. */
  onChoices: (brandId: string) => void;
}

/** The state for one brand or all, its cause, and the action to change it. */
export function SubscriptionRow({ name, brand, state, subscription, onChange, onChoices }: Props) {
  const { t } = useTranslation('consent');
  const suppressionText = useSuppressionText();
  const resubscriptionText = useResubscriptionText();
  const isOwn = ({ brand_id }: { brand_id: string | null }) => brand_id === (brand?.id ?? null);
  const own = subscription.suppressions.filter(isOwn);
  const last = subscription.resubscriptions.find(isOwn);
  const isHeldByAll = own.length === 0 && state !== undefined && state !== 'subscribed' && state !== 'paused';
  const effectOf = (act: SubscriptionChange['act']) =>
    brand === null
      ? t(`actions.${act}All`)
      : t(`actions.${act === 'resubscribe' ? 'resubscribeTo' : 'unsubscribeFrom'}`, { brand: brand.name });
  const isBlocked = own.some((suppression) => suppression.state === 'blocked');
  return (
    <Group component="li" justify="space-between" align="flex-start" gap="xs">
      <Stack gap={4} flex="1 1 8rem" miw={0} align="flex-start">
        <Text size="sm" fw={500} className="break">
          {name}
        </Text>
        {state === 'subscribed' ? (
          // To be in a list is no consent.
          <StatusBadge status={state} label={t('noOptOut')} />
        ) : (
          state !== undefined && <StatusBadge status={state} />
        )}
        {own.map((suppression) => (
          <QuietText key={suppression.source} className="break">
            {suppressionText(suppression)}
          </QuietText>
        ))}
        {isBlocked && <QuietText>{t('blocked')}</QuietText>}
        {isHeldByAll && <QuietText>{t('byAll')}</QuietText>}
        {last && <QuietText className="break">{resubscriptionText(last)}</QuietText>}
        {brand !== null && <Choices brand={brand} onOpen={() => onChoices(brand.id)} />}
      </Stack>
      {!isHeldByAll && !isBlocked && (
        <Group gap="xs" justify="flex-end" style={{ flex: 'none' }}>
          {actsOn(own).map((act) => (
            <PermittedButton
              key={act}
              permission={['update', 'Consent']}
              // All brands together belong to no client, so a role limited to some clients cannot change them.
              record={brand === null ? {} : { brand_id: brand.id, client_id: brand.client.id }}
              size="compact-sm"
              aria-label={effectOf(act)}
              onClick={() => onChange(act, brand)}
            >
              {t(`actions.${act}`)}
            </PermittedButton>
          ))}
        </Group>
      )}
    </Group>
  );
}

/** What the contact has chosen, in short. */
function Choices({ brand, onOpen }: { brand: Subscription['brands'][number]; onOpen: () => void }) {
  const { t } = useTranslation('consent');
  const format = useFormat();
  const namesOf = (topics: typeof brand.topics) => format.list(topics.map(({ name }) => name));
  const gets = brand.topics.filter((topic) => topic.is_subscribed);
  const declined = brand.topics.filter((topic) => !topic.is_subscribed && topic.choice !== null);
  const lines = [
    brand.pause === null ? '' : t('choices.pausedUntil', { date: format.date(brand.pause.until) }),
    gets.length === 0 ? '' : t('choices.gets', { topics: namesOf(gets) }),
    declined.length === 0 ? '' : t('choices.declined', { topics: namesOf(declined) }),
    brand.tracking === null
      ? ''
      : t(brand.tracking.is_allowed ? 'choices.measuringAllowed' : 'choices.measuringRefused'),
  ].filter((line) => line !== '');
  return (
    <>
      {lines.map((line) => (
        <Text key={line} size="sm" className="break">
          {line}
        </Text>
      ))}
      <Anchor
        component="button"
        type="button"
        size="sm"
        ta="start"
        aria-label={t('choices.title', { brand: brand.name })}
        onClick={onOpen}
      >
        {t('choices.open')}
      </Anchor>
    </>
  );
}

/** A person's decision overrides a bounce: a bounced contact can still unsubscribe. */
function actsOn(own: Subscription['suppressions']): SubscriptionChange['act'][] {
  if (own.length === 0) return ['unsubscribe'];
  return own.every(({ state }) => state === 'bounced') ? ['resubscribe', 'unsubscribe'] : ['resubscribe'];
}
