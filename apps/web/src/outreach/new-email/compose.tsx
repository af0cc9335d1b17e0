import { Stack } from '@mantine/core';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandChip } from '#web/clients/brands/brand-chip.tsx';
import { BrandEdge } from '#web/clients/brands/brand-edge.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AudienceChoice } from '#web/outreach/channels/email/audience-choice.tsx';
import { EmailContent } from '#web/outreach/channels/email/email-content.tsx';
import { EmailForm } from '#web/outreach/channels/email/email-form.tsx';
import {
  AudienceChoiceSkeleton,
  DesignSkeleton,
  ReviewSkeleton,
} from '#web/outreach/channels/email/email-skeletons.tsx';
import type { FixTarget } from '#web/outreach/channels/email/review-checklist.tsx';
import ReviewPanel from '#web/outreach/channels/email/review-panel.tsx';
import { lockOf, TouchpointContext } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { defaultEmailNames, nameBySubject } from './draft-names.ts';
import { CardSkeleton } from '#web/ui/page-skeletons.tsx';
import { RecordSkeleton } from '#web/ui/skeletons.tsx';

/** The steps of an email with a draft on the server, on one page: content, audience, test and review. */
export function Compose({ touchpointId }: { touchpointId: string }) {
  const { t } = useTranslation('touchpoints');
  const { api, orgId } = useOrganization();
  const query = useQuery(api.touchpoints.get.queryOptions({ input: { id: touchpointId } }));
  return (
    <AsyncRegion page query={query} what={t('whatOne')} skeleton={<ComposeSkeleton />}>
      {(touchpoint) =>
        // Other touchpoint types and emails that are being sent have their own pages.
        touchpoint.type !== 'email' || lockOf(touchpoint) !== undefined ? (
          <Navigate replace to="/o/$orgId/touchpoints/$touchpointId" params={{ orgId, touchpointId }} />
        ) : (
          <Steps touchpoint={touchpoint} />
        )
      }
    </AsyncRegion>
  );
}

function Steps({ touchpoint }: { touchpoint: Touchpoint }) {
  const { t } = useTranslation('touchpoints');
  const { can } = useOrganization();
  const [focus, setFocus] = useState<{ field: string; count: number }>();
  const goTo = ({ part, field }: FixTarget) => {
    if (field !== undefined) setFocus((before) => ({ field, count: (before?.count ?? 0) + 1 }));
    const section = document.getElementById(part === 'preview' ? 'test' : part);
    if (field === undefined)
      section?.querySelector<HTMLElement>(part === 'preview' ? '[data-send-test] button' : 'input')?.focus();
    section?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <TouchpointContext value={{ touchpoint, lock: undefined, canEdit: can('update', 'Touchpoint') }}>
      <BrandEdge color={touchpoint.brand.color} />
      <PageHeader
        title={touchpoint.name}
        section={t('newEmail.title')}
        note={<BrandChip brand={touchpoint.brand} client={touchpoint.client.name} />}
      />
      <EmailContent skeleton={<StepsSkeleton />}>
        {(draft) => (
          <Stack gap="lg">
            <NameBySubject touchpoint={touchpoint} subject={draft.email.subject} />
            <SectionCard id="design" title={t('newEmail.contentTitle')}>
              <EmailForm draft={draft} focus={focus} />
            </SectionCard>
            <SectionCard id="audience" title={t('newEmail.audienceTitle')}>
              <AudienceChoice draft={draft} />
            </SectionCard>
            <SectionCard id="test" title={t('newEmail.reviewTitle')}>
              <ReviewPanel onFix={goTo} />
            </SectionCard>
          </Stack>
        )}
      </EmailContent>
    </TouchpointContext>
  );
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

function ComposeSkeleton() {
  return (
    <RecordSkeleton>
      <StepsSkeleton />
    </RecordSkeleton>
  );
}

const StepsSkeleton = () => (
  <Stack gap="lg">
    <CardSkeleton>
      <DesignSkeleton />
    </CardSkeleton>
    <CardSkeleton>
      <AudienceChoiceSkeleton />
    </CardSkeleton>
    <CardSkeleton>
      <ReviewSkeleton />
    </CardSkeleton>
  </Stack>
);
