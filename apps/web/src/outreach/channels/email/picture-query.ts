import { queryOptions } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { limitPictures, pictureOptions } from '#web/ui/picture-limit.ts';

/** @param version  changes with the email: the id of its last send, or the time of its last change */
export const pictureQuery = ({ orgId }: OrganizationContext, touchpointId: string, version: string) =>
  queryOptions({
    // The key does not start with an owner, so changes of other records do not refetch the thumbnail.
    queryKey: ['email picture', orgId, touchpointId, version],
    queryFn: ({ signal }) =>
      limitPictures(signal, () => client.emails.picture({ id: touchpointId }, { signal })),
    ...pictureOptions,
  });
