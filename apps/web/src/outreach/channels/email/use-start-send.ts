import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { randomUuid } from '#web/platform/random-uuid.ts';

/** Starts a send of an email, and then shows it. */
export function useStartSend(touchpointId: string) {
  const { api, orgId } = useOrganization();
  const navigate = useNavigate();
  // One key per opened dialog: pressing twice, or retrying after a connection error, starts only one send.
  const [idempotencyKey] = useState(randomUuid);
  return useMutation(
    api.sends.start.mutationOptions({
      context: { idempotencyKey },
      onSuccess: ({ id: sendId }) =>
        navigate({
          to: '/o/$orgId/touchpoints/$touchpointId/sends/$sendId',
          params: { orgId, touchpointId, sendId },
        }),
    }),
  );
}
