import { queryOptions } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { limitPictures, pictureOptions } from '#web/ui/picture-limit.ts';

/** @param version  changes when the email does: the id of its last send, or when it was changed */
export const pictureQuery = ({ orgId }: OrganizationContext, touchpointId: string, version: string) =>
  queryOptions({
    // Begins with no owner: a change of another record draws no picture anew.
    queryKey: ['email picture', orgId, touchpointId, version],
    queryFn: ({ signal }) =>
      limitPictures(signal, () => client.emails.picture({ id: touchpointId }, { signal })),
    ...pictureOptions,
  });
