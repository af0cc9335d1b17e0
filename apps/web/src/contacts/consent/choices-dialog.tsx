import { Group, Stack, Text, Title } from '@mantine/core';
import type { BrandChoices, Choice, Subscription } from '@reachout/contract/consent.ts';
import { pauseDays } from '@reachout/contract/rules/pauses.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { notifyOf } from '#web/ui/notify.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { useRecordForm } from '#web/ui/use-record-form.ts';

type Brand = Subscription['brands'][number];
type Topic = BrandChoices['topics'][number];

interface Props {
  collection: string;
  subscription: Subscription;
  brand: Brand;
  onClose: () => void;
}

/** What a contact has chosen about one brand: topics, a pause and measuring. Mount it to open it. */
export default function ChoicesDialog({ collection, subscription, brand, onClose }: Props) {
  const { t } = useTranslation('consent');
  const { orgId } = useOrganization();
  const target = { organization_id: orgId, collection, key: subscription.key };
  const record = { brand_id: brand.id, client_id: brand.client.id };
  return (
    <Dialog onClose={onClose} title={t('choices.title', { brand: brand.name })}>
      <Stack gap="lg">
        <QuietText className="break">{t('choices.hint', { contact: subscription.address ?? '' })}</QuietText>
        {brand.topics.length > 0 && (
          <section>
            <Title order={3} size="h4" mb="xs">
              {t('choices.topics')}
            </Title>
            <Stack component="ul" className="plain-list" gap="md">
              {brand.topics.map((topic) => (
                <TopicRow key={topic.id} topic={topic} target={target} record={record} />
              ))}
            </Stack>
          </section>
        )}
        <Pause brand={brand} target={target} record={record} />
        <section>
          <Title order={3} size="h4" mb="xs">
            {t('choices.measuring')}
          </Title>
          <Text size="sm">{t(`choices.policy.${brand.tracking_policy}`)}</Text>
          {brand.tracking !== null && (
            <Text size="sm">
              {t(brand.tracking.is_allowed ? 'choices.measuringAllowed' : 'choices.measuringRefused')}
            </Text>
          )}
          <Origin choice={brand.tracking} />
        </section>
      </Stack>
    </Dialog>
  );
}

interface PartProps {
  target: { organization_id: string; collection: string; key: string };
  /** For permissions that are limited to clients and brands. */
  record: { brand_id: string; client_id: string };
}

function TopicRow({ topic, ...part }: PartProps & { topic: Topic }) {
  const { t } = useTranslation('consent');
  const [isOpen, setOpen] = useState(false);
  const act = topic.is_subscribed ? 'unsubscribe' : 'subscribe';
  const state =
    topic.choice === null
      ? topic.is_default
        ? 'byDefault'
        : 'notChosen'
      : topic.is_subscribed
        ? 'subscribed'
        : 'declined';
  return (
    <li>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Stack gap={2} flex="1 1 8rem" miw={0}>
          <Text size="sm" fw={500} className="break">
            {topic.name}
          </Text>
          <Text size="sm">{t(`choices.state.${state}`)}</Text>
          <Origin choice={topic.choice} />
        </Stack>
        <PermittedButton
          permission={['update', 'Consent']}
          record={part.record}
          size="compact-sm"
          aria-expanded={isOpen}
          aria-label={t(`choices.${act}To`, { topic: topic.name })}
          onClick={() => setOpen(!isOpen)}
        >
          {t(`choices.${act}`)}
        </PermittedButton>
      </Group>
      {isOpen && <TopicForm topic={topic} target={part.target} onClose={() => setOpen(false)} />}
    </li>
  );
}

function TopicForm({
  topic,
  target,
  onClose,
}: Pick<PartProps, 'target'> & { topic: Topic; onClose: () => void }) {
  const { t } = useTranslation(['consent', 'common']);
  const { api } = useOrganization();
  const input = useRef<HTMLTextAreaElement>(null);
  useFocusBack();
  useEffect(() => input.current?.focus(), []);
  const choose = useMutation(api.consent.chooseTopic.mutationOptions());
  const isSubscribing = !topic.is_subscribed;
  const form = useRecordForm(boundsOf('consent.chooseTopic'), {
    fields: {
      basis: {
        label: isSubscribing ? t('choices.basis') : t('unsubscribe.note'),
        hint: t(isSubscribing ? 'resubscribe.basisHint' : 'unsubscribe.noteHint'),
        kind: 'multi-line',
        isOptional: !isSubscribing,
        inputProps: { ref: input },
      },
    },
    // Contacts can be unsubscribed without a word, and subscribed on their own wish only.
    checks: {
      basis: (basis) => (isSubscribing && basis.trim() === '' ? t('common:form.required') : null),
    },
    save: (values) =>
      choose.mutateAsync({ ...target, topic_id: topic.id, is_subscribed: isSubscribing, ...values }),
    notice: t(isSubscribing ? 'choices.subscribed' : 'choices.unsubscribed', { topic: topic.name }),
    onClose,
  });
  return (
    <Form
      form={form}
      submitLabel={t(isSubscribing ? 'choices.subscribe' : 'choices.unsubscribe')}
      onCancel={onClose}
    >
      <RecordFields form={form} />
    </Form>
  );
}

function Pause({ brand, target, record }: PartProps & { brand: Brand }) {
  const { t } = useTranslation('consent');
  const { api } = useOrganization();
  const format = useFormat();
  const isPaused = brand.pause !== null;
  const pause = useMutation(
    api.consent.pause.mutationOptions(notifyOf(t(isPaused ? 'choices.pauseEnded' : 'choices.pauseStored'))),
  );
  return (
    <section>
      <Title order={3} size="h4" mb="xs">
        {t('choices.pause')}
      </Title>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Stack gap={2} flex="1 1 8rem" miw={0}>
          <Text size="sm">
            {brand.pause === null
              ? t('choices.noPause')
              : t('choices.pausedUntil', { date: format.dateTime(brand.pause.until) })}
          </Text>
          <Origin choice={brand.pause} />
        </Stack>
        <PermittedButton
          permission={['update', 'Consent']}
          record={record}
          size="compact-sm"
          loading={pause.isPending}
          onClick={() => pause.mutate({ ...target, brand_id: brand.id, is_paused: !isPaused })}
        >
          {isPaused ? t('choices.endPause') : t('choices.startPause', { count: pauseDays })}
        </PermittedButton>
      </Group>
      <ActionError error={pause.error} />
    </section>
  );
}

/** When and how a choice was made. */
function Origin({ choice }: { choice: Choice | null }) {
  const { t } = useTranslation('consent');
  const format = useFormat();
  if (choice === null) return null;
  const { source, at, touchpoint, by, basis } = choice;
  const how =
    source === 'preferences'
      ? touchpoint === null
        ? t('choices.how.preferences')
        : t('choices.how.preferencesIn', { email: touchpoint.name })
      : source === 'sign_up'
        ? t('choices.how.signUp')
        : by === null
          ? t('how.office')
          : t('how.officeBy', { name: by.full_name });
  return (
    <QuietText className="break">
      {[format.dateTime(at), how, basis === null ? '' : t('note', { note: basis })]
        .filter((part) => part !== '')
        .join(' · ')}
    </QuietText>
  );
}
