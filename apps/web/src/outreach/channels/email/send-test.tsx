import { Group } from '@mantine/core';
import type { Message } from '@reachout/contract/messages.ts';
import { IconMailForward } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { meQuery } from '#web/identity/account/me-query.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { compact } from '#web/platform/list-search.ts';
import { refresh } from '#web/platform/query-client.ts';
import { useSendErrorText } from '#web/ui/send-error-text.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { QuietText } from '#web/ui/text.ts';
import { SendFailure } from './send-failure.tsx';

const pollMs = 1_000;

const isUnderWay = ({ state }: Message): boolean => state === 'queued' || state === 'sending';

interface Props {
  contact: string | undefined;
  /** Of the review that is shown. */
  version: string;
  /** Why what is seen cannot be sent now. */
  reason: string | undefined;
}

/** Sends the email as previewed to the current user, and shows the result. */
export function SendTest({ contact, version, reason }: Props) {
  const { t } = useTranslation('touchpoints');
  const { api, orgId } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const errorText = useSendErrorText();
  const me = useQuery(meQuery);
  const test = useMutation(
    api.emails.test.mutationOptions({
      // Shows what another user changed.
      onError: () => void refresh(orgId),
    }),
  );
  const message = useQuery(
    api.messages.get.queryOptions({
      input: { id: test.data?.id ?? '' },
      enabled: test.data !== undefined,
      refetchInterval: ({ state }) => (!state.data || isUnderWay(state.data) ? pollMs : false),
      meta: { quiet: true },
    }),
  );
  const shown = message.data ?? test.data;
  const email = me.data?.email;
  return (
    <div data-send-test>
      <Group gap="sm">
        <PermittedButton
          permission={['send', 'Touchpoint']}
          leftSection={<IconMailForward size={16} />}
          loading={test.isPending}
          disabled={email === undefined}
          reason={reason}
          onClick={() =>
            email !== undefined &&
            test.mutate(
              compact({
                id: touchpoint.id,
                to: email,
                collectionItemId: contact,
                expected_version: version,
              }),
            )
          }
        >
          {t('preview.test')}
        </PermittedButton>
        {shown && (
          <Group gap="xs" role="status">
            <StatusBadge status={shown.state} />
            <QuietText>
              {t('preview.testTo', { address: shown.to })}{' '}
              {shown.state !== 'sent' && (shown.error === null ? shown.reply : errorText(shown.error))}
            </QuietText>
          </Group>
        )}
      </Group>
      <SendFailure error={test.error} />
    </div>
  );
}
