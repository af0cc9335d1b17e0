import type { Figures } from '@reachout/contract/figures.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { LazyPicture } from '#web/ui/lazy-picture.tsx';
import { PictureFrame, type PictureSize } from '#web/ui/picture-frame.tsx';

interface Props extends Partial<PictureSize> {
  touchpointId: string;
  /** Changes with the email: the id of its last send, or the time of its last change. */
  version: string;
}

/** A thumbnail of a touchpoint's email, as last sent or as currently written. */
export function EmailPicture({ touchpointId, version, ...size }: Props) {
  const { orgId } = useOrganization();
  return (
    <LazyPicture
      {...size}
      name={['email', orgId, touchpointId, version]}
      ask={(options) => client.emails.picture({ id: touchpointId }, options)}
    />
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
