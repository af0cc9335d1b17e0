import { Alert, Select, Stack } from '@mantine/core';
import type { Touchpoint, TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { IconCalendarEvent } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { topicsQuery } from '#web/clients/topics/topics-query.ts';
import { usePlannedTime } from '#web/i18n/planned-time.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { defaultEmailNames, nameBySubject } from '#web/outreach/new-email/draft-names.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import { AudienceChoice } from './audience-choice.tsx';
import type { FieldFocus } from './body-editor.tsx';
import { useEmailDraft, type EmailDraft } from './email-draft.ts';
import { EmailForm } from './email-form.tsx';
import { ItemChoice } from './item-choice.tsx';
import { ComposeSkeleton } from './email-skeletons.tsx';
import type { FixTarget } from './review-checklist.tsx';
import { ReviewPanel } from './review-panel.tsx';

/** An email that is being written, on one page: content, audience, test and review. */
export default function ComposePanel() {
  const { t } = useTranslation('touchpoints');
  const { touchpoint } = useTouchpoint();
  const [focus, setFocus] = useState<FieldFocus>();
  const goToField = (field: string, line?: number) =>
    setFocus((before) => ({ field, line, count: (before?.count ?? 0) + 1 }));
  const goTo = ({ part, field, line }: FixTarget) => {
    if (field !== undefined) goToField(field, line);
    const section = document.getElementById(part);
    if (field === undefined)
      section?.querySelector<HTMLElement>(part === 'test' ? '[data-send-test] button' : 'input')?.focus();
    section?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <EmailContent skeleton={<ComposeSkeleton />}>
      {(draft) => (
        <Stack gap="lg">
          <UnsavedGuard dirty={draft.isDirty} saving={draft.saving} onSave={draft.saveAll} savesItself />
          {touchpoint.is_planned && <PlannedNotice />}
          <NameBySubject touchpoint={touchpoint} subject={draft.email.subject} />
          <SectionCard id="content" title={t('newEmail.contentTitle')}>
            <EmailForm draft={draft} focus={focus} onField={goToField} />
          </SectionCard>
          <SectionCard id="items" title={t('items.title')} hint={t('items.hint')}>
            <ItemChoice draft={draft} />
          </SectionCard>
          <SectionCard id="audience" title={t('words.audience')}>
            <Stack gap="md">
              <TopicChoice draft={draft} />
              <AudienceChoice draft={draft} />
            </Stack>
          </SectionCard>
          <SectionCard id="test" title={t('newEmail.reviewTitle')}>
            <ReviewPanel draft={draft} onFix={goTo} />
          </SectionCard>
        </Stack>
      )}
    </EmailContent>
  );
}

type Children = (draft: EmailDraft) => ReactNode;

/** Loads subject, sender, template and audience of the current touchpoint, and provides the means to save them. */
function EmailContent({ skeleton, children }: { skeleton: ReactNode; children: Children }) {
  const { t } = useTranslation('touchpoints');
  const { api } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const query = useQuery(api.touchpoints.getEmail.queryOptions({ input: { id: touchpoint.id } }));
  return (
    <AsyncRegion
      query={query}
      what={t('records.what', { records: t('words.touchpoint') })}
      skeleton={skeleton}
    >
      {(email) => <Draft email={email}>{children}</Draft>}
    </AsyncRegion>
  );
}

function Draft({ email, children }: { email: TouchpointEmail; children: Children }) {
  return children(useEmailDraft(email));
}

/** Renames an email that still has its default name, once its subject is saved. */
function NameBySubject({ touchpoint, subject }: { touchpoint: Touchpoint; subject: string }) {
  const { t, i18n } = useTranslation('touchpoints');
  const { api, can } = useOrganization();
  const rename = useMutation(api.touchpoints.update.mutationOptions());
  const before = useRef(subject);
  const follow = useEffectEvent((next: string) => {
    const name = nameBySubject(touchpoint.name, {
      defaults: defaultEmailNames(t, i18n.language, new Date(touchpoint.created_at)),
      before: before.current,
      subject: next,
    });
    before.current = next;
    if (name !== undefined && can('update', 'Touchpoint')) rename.mutate({ id: touchpoint.id, name });
  });
  useEffect(() => follow(subject), [subject]);
  return null;
}

/** While an email is planned, what is written here is not what is sent. */
function PlannedNotice() {
  const { t } = useTranslation('touchpoints');
  const { touchpoint } = useTouchpoint();
  const plannedTime = usePlannedTime();
  const when =
    touchpoint.scheduled_date && plannedTime(touchpoint.scheduled_date, touchpoint.scheduled_date_tz);
  return (
    <Alert
      color={touchpoint.is_changed ? 'yellow' : 'gray'}
      icon={<IconCalendarEvent size={18} />}
      title={t('planned.title', { when })}
    >
      {t(touchpoint.is_changed ? 'planned.changed' : 'planned.body')}
    </Alert>
  );
}

const none = '';

/** Selects a topic of the brand; nothing is shown for a brand without topics. The selection is saved at once. */
function TopicChoice({ draft }: { draft: EmailDraft }) {
  const { t } = useTranslation('touchpoints');
  const scope = useOrganization();
  const { touchpoint, canEdit } = useTouchpoint();
  const { data } = useQuery(topicsQuery(scope, touchpoint.brand.id));
  const topics = data?.items ?? [];
  if (topics.length === 0) return null;
  const { topic_id: id } = draft.email;
  const topic = topics.find((one) => one.id === id);
  return (
    <Select
      maw={760}
      label={t('words.topic')}
      description={t(
        topic === undefined ? 'topic.noneHint' : topic.is_default ? 'topic.hint' : 'topic.hintChosen',
      )}
      readOnly={!canEdit}
      allowDeselect={false}
      value={id ?? none}
      onChange={(value) => void draft.save({ topic_id: value === none ? null : value })}
      data={[
        { value: none, label: t('topic.none') },
        ...topics.map(({ id: value, name: label }) => ({ value, label })),
      ]}
    />
  );
}
