import { Paper, Select, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { audienceCountQuery } from '#web/contacts/audiences/audience-count-query.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ProblemList } from '#web/content/templates/problem-list.tsx';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PreviewSkeleton } from '#web/ui/page-skeletons.tsx';
import { PreviewFrame } from '#web/ui/preview-frame.tsx';
import type { EmailDraft } from './email-draft.ts';
import { InboxLine } from './inbox-line.tsx';
import { previewQuery } from './preview-query.ts';
import { linkToField } from './problem-link.tsx';
import { withoutTags } from './shown-subject.ts';

interface Props {
  draft: EmailDraft;
  /** Current values of the fields; the preview is updated once they are saved. */
  typed: { from_name: string; from_email: string; subject: string; preheader: string };
  /** Moves to a field, or to a line of the body. */
  onField: (field: string, line?: number) => void;
}

/** The email as one recipient would get it, from its brand. */
export function LivePreview({ draft: { email }, typed, onField }: Props) {
  const { t } = useTranslation('touchpoints');
  const scope = useOrganization();
  const { can } = scope;
  const { touchpoint } = useTouchpoint();
  const [contact, setContact] = useState<string>();
  const hasBody = email.mjml.trim() !== '';
  const preview = useQuery({
    ...previewQuery(scope, touchpoint.id, { contact, hasBody }),
    placeholderData: keepPreviousData,
  });
  if (!hasBody || !can('read', 'Content'))
    return (
      <div>
        <InboxLine
          sender={typed.from_name}
          subject={withoutTags(typed.subject)}
          preheader={withoutTags(typed.preheader)}
        />
        <Paper withBorder p="xl">
          <Text c="dimmed" ta="center">
            {t(hasBody ? 'design.previewHidden' : 'design.previewEmpty')}
          </Text>
        </Paper>
      </div>
    );
  return (
    <div>
      <RecipientSelect filterId={email.filter_id} contact={contact} onContact={setContact} />
      <AsyncRegion query={preview} what={t('design.preview')} skeleton={<PreviewSkeleton />}>
        {(rendered) => (
          <>
            <InboxLine
              sender={rendered.from.name}
              subject={rendered.subject}
              preheader={rendered.preheader}
            />
            <PreviewFrame
              html={rendered.html}
              text={rendered.text}
              title={t('design.preview')}
              busy={preview.isPlaceholderData}
            />
            <ProblemList
              problems={rendered.problems.filter(({ code }) => !isStillToWrite(code, typed))}
              linkTo={linkToField(onField)}
            />
          </>
        )}
      </AsyncRegion>
    </div>
  );
}

/** A field that is still empty is not an error here: the checklist reports it as missing. */
const isStillToWrite = (code: string, { subject, from_email }: Props['typed']): boolean =>
  (code === 'subject_empty' && subject.trim() === '') ||
  (code === 'sender_invalid' && from_email.trim() === '');

interface RecipientSelectProps {
  filterId: string | null;
  contact: string | undefined;
  onContact: (id: string | undefined) => void;
}

/** Selects the recipient of the preview from the audience, by address. Default: the first one. */
function RecipientSelect({ filterId, contact, onContact }: RecipientSelectProps) {
  const { t } = useTranslation('touchpoints');
  const scope = useOrganization();
  const { touchpoint } = useTouchpoint();
  const filter = useQuery(
    scope.api.filters.get.queryOptions({ input: { id: filterId ?? '' }, enabled: filterId !== null }),
  );
  const audience = useQuery(audienceCountQuery(scope, touchpoint.brand.id, filter.data));
  const people = audience.data?.sample ?? [];
  return (
    <Select
      searchable
      clearable
      mb="sm"
      w={{ base: '100%', sm: 320 }}
      label={t('words.previewAs')}
      placeholder={filterId === null ? t('preview.noAudience') : t('preview.first')}
      disabled={people.length === 0}
      value={contact ?? null}
      onChange={(value) => onContact(value ?? undefined)}
      data={people.map((person) => ({ value: person.id, label: person.email }))}
    />
  );
}
