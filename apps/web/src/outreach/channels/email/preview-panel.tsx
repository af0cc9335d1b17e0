import { Group, Select, Stack, Text } from '@mantine/core';
import { IconArrowRight, IconMail } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { EmailContent } from './email-content.tsx';
import { audienceCountQuery } from '#web/content/audiences/audience-count-query.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { compact } from '#web/platform/list-search.ts';
import { ProblemList } from '#web/content/templates/problem-list.tsx';
import { SendTest } from './send-test.tsx';
import { InboxLine } from './inbox-line.tsx';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PreviewFrame } from '#web/ui/preview-frame.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const route = getRouteApi('/o/$orgId/touchpoints/$touchpointId/preview');

export default function PreviewPanel() {
  return <EmailContent>{(email) => <Preview email={email} />}</EmailContent>;
}

function Preview({ email }: { email: TouchpointEmail }) {
  const { t } = useTranslation('touchpoints');
  const scope = useOrganization();
  const { api, orgId, canEver } = scope;
  const { touchpoint } = useTouchpoint();
  const { contact } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = useQuery(
    api.filters.get.queryOptions({ input: { id: email.filter_id ?? '' }, enabled: email.filter_id !== null }),
  );
  const audience = useQuery(audienceCountQuery(scope, touchpoint.brand.id, filter.data));
  const preview = useQuery(
    api.emails.preview.queryOptions({
      input: compact({ id: touchpoint.id, collectionItemId: contact }),
      enabled: email.template_id !== null,
      placeholderData: keepPreviousData,
    }),
  );
  if (email.template_id === null) {
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
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end">
        <Select
          searchable
          clearable
          w={{ base: '100%', sm: 320 }}
          label={t('preview.recipient')}
          placeholder={t('preview.first')}
          value={contact ?? null}
          onChange={(value) => void navigate({ search: value ? { contact: value } : {} })}
          data={(audience.data?.sample ?? []).map((person) => ({ value: person.id, label: person.email }))}
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
      <AsyncRegion query={preview} what={t('steps.preview')} skeleton={<PanelSkeleton height={720} />}>
        {(rendered) => (
          <div>
            <InboxLine
              sender={rendered.from.name}
              subject={rendered.subject}
              preheader={rendered.preheader}
            />
            <Text size="sm" c="dimmed" mb="sm">
              {rendered.from.email} · {t('preview.to', { address: rendered.to })}
            </Text>
            <PreviewFrame
              html={rendered.html}
              text={rendered.text}
              title={rendered.subject || t('steps.preview')}
              busy={preview.isPlaceholderData}
            />
            <ProblemList problems={rendered.problems} />
          </div>
        )}
      </AsyncRegion>
    </Stack>
  );
}
