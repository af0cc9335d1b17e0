import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { SectionCard } from '#web/ui/section-card.tsx';
import { AudienceChoice } from './audience-choice.tsx';
import { EmailContent } from './email-content.tsx';
import type { FieldFocus } from './body-editor.tsx';
import { EmailForm } from './email-form.tsx';
import { ItemChoice } from './item-choice.tsx';
import { ComposeSkeleton } from './email-skeletons.tsx';
import { NameBySubject } from './name-by-subject.tsx';
import { PlannedNotice } from './planned-notice.tsx';
import type { FixTarget } from './review-checklist.tsx';
import { ReviewPanel } from './review-panel.tsx';
import { TopicChoice } from './topic-choice.tsx';

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
          {touchpoint.is_planned && <PlannedNotice />}
          <NameBySubject touchpoint={touchpoint} subject={draft.email.subject} />
          <SectionCard id="content" title={t('newEmail.contentTitle')}>
            <EmailForm draft={draft} focus={focus} onField={goToField} />
          </SectionCard>
          <SectionCard id="items" title={t('items.title')} hint={t('items.hint')}>
            <ItemChoice draft={draft} />
          </SectionCard>
          <SectionCard id="audience" title={t('newEmail.audienceTitle')}>
            <Stack gap="md">
              <TopicChoice draft={draft} />
              <AudienceChoice draft={draft} />
            </Stack>
          </SectionCard>
          <SectionCard id="test" title={t('newEmail.reviewTitle')}>
            <ReviewPanel onFix={goTo} />
          </SectionCard>
        </Stack>
      )}
    </EmailContent>
  );
}
