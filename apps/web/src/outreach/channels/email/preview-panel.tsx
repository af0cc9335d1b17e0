import { Group, Stack, Text } from '@mantine/core';
import { IconArrowRight, IconMail } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { RecipientSelect } from './recipient-select.tsx';
import { EmailContent } from './email-content.tsx';
import { PreviewedSkeleton } from './email-skeletons.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { compact } from '#web/platform/list-search.ts';
import { ProblemList } from '#web/content/templates/problem-list.tsx';
import { useProblemLink } from './problem-link.tsx';
import { SendTest } from './send-test.tsx';
import { InboxLine } from './inbox-line.tsx';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PreviewSkeleton } from '#web/ui/page-skeletons.tsx';
import { PreviewFrame } from '#web/ui/preview-frame.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const route = getRouteApi('/o/$orgId/touchpoints/$touchpointId/preview');

export default function PreviewPanel() {
  return (
    <EmailContent skeleton={<PreviewedSkeleton />}>{({ email }) => <Preview email={email} />}</EmailContent>
  );
}

/** The selected recipient of the preview is stored in the URL. */
function Preview({ email }: { email: TouchpointEmail }) {
  const { t } = useTranslation('touchpoints');
  const { orgId } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const { contact } = route.useSearch();
  const navigate = route.useNavigate();
  if (email.template_id === null) return <NoTemplate />;
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end">
        <RecipientSelect
          filterId={email.filter_id}
          contact={contact}
          onContact={(id) => void navigate({ search: id === undefined ? {} : { contact: id } })}
        />
        <LinkButton
          to="/o/$orgId/touchpoints/$touchpointId/schedule"
          params={{ orgId, touchpointId: touchpoint.id }}
          rightSection={<IconArrowRight size={16} stroke={1.75} />}
        >
          {t('preview.next')}
        </LinkButton>
      </Group>
      <SendTest contact={contact} />
      <Rendered templateId={email.template_id} contact={contact} />
    </Stack>
  );
}

function NoTemplate() {
  const { t } = useTranslation('touchpoints');
  const { orgId, canEver } = useOrganization();
  const { touchpoint } = useTouchpoint();
  return (
    <EmptyState
      icon={IconMail}
      title={t('steps.preview')}
      actions={
        canEver('update', 'Touchpoint') && (
          <LinkButton
            to="/o/$orgId/touchpoints/$touchpointId/design"
            params={{ orgId, touchpointId: touchpoint.id }}
          >
            {t('preview.toDesign')}
          </LinkButton>
        )
      }
      text={t('preview.empty')}
    />
  );
}

function Rendered({ templateId, contact }: { templateId: string; contact: string | undefined }) {
  const { t } = useTranslation('touchpoints');
  const { api } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const linkTo = useProblemLink(templateId);
  const preview = useQuery(
    api.emails.preview.queryOptions({
      input: compact({ id: touchpoint.id, collectionItemId: contact }),
      placeholderData: keepPreviousData,
    }),
  );
  return (
    <AsyncRegion query={preview} what={t('steps.preview')} skeleton={<PreviewSkeleton />}>
      {(rendered) => (
        <div>
          <InboxLine sender={rendered.from.name} subject={rendered.subject} preheader={rendered.preheader} />
          <Text size="sm" c="dimmed" mb="sm">
            {rendered.from.email || t('noSender')} · {t('preview.to', { address: rendered.to })}
          </Text>
          <PreviewFrame
            html={rendered.html}
            text={rendered.text}
            title={rendered.subject || t('steps.preview')}
            busy={preview.isPlaceholderData}
          />
          <ProblemList problems={rendered.problems} linkTo={linkTo} />
        </div>
      )}
    </AsyncRegion>
  );
}
