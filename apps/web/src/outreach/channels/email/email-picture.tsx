import type { Figures } from '@reachout/contract/figures.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { PictureFrame, type PictureSize } from '#web/ui/picture-frame.tsx';
import { limitPictures, pictureOptions } from '#web/ui/picture-limit.ts';
import { useInView } from '#web/ui/use-in-view.ts';

interface Props extends Partial<PictureSize> {
  touchpointId: string;
  /** Changes with the email: the id of its last send, or the time of its last change. */
  version: string;
}

/**
 * A thumbnail of a touchpoint's email, as last sent or as currently written. Loaded and rendered only while in view, so that
 * a page has no more frames than fit on the screen.
 */
export function EmailPicture({ touchpointId, version, width = 44, height = 32 }: Props) {
  const [ref, isInView] = useInView();
  const { data } = useQuery({
    ...pictureQuery(useOrganization(), touchpointId, version),
    enabled: isInView,
  });
  return (
    <span ref={ref} style={{ flex: 'none' }}>
      <PictureFrame html={isInView ? data?.html : undefined} width={width} height={height} />
    </span>
  );
}

/**
 * The thumbnail that represents a record in a list: the last email sent, or else the newest.
 * @param version  changes with the record
 */
export function FigurePicture({ figures, version = '' }: { figures: Figures | null; version?: string }) {
  const { email_touchpoint_id, last_send } = figures ?? {};
  return email_touchpoint_id ? (
    <EmailPicture touchpointId={email_touchpoint_id} version={last_send?.id ?? version} />
  ) : (
    <PictureFrame width={44} height={32} />
  );
}

/** @param version  changes with the email: the id of its last send, or the time of its last change */
const pictureQuery = ({ orgId }: OrganizationContext, touchpointId: string, version: string) =>
  queryOptions({
    // The key does not start with an owner, so changes of other records do not refetch the thumbnail.
    queryKey: ['picture', 'email', orgId, touchpointId, version],
    queryFn: ({ signal }) =>
      limitPictures(signal, () => client.emails.picture({ id: touchpointId }, { signal })),
    ...pictureOptions,
  });
