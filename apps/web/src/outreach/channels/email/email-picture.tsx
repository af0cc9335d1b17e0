import type { Figures } from '@reachout/contract/figures.ts';
import { useQuery } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { PictureFrame, type PictureSize } from '#web/ui/picture-frame.tsx';
import { useInView } from '#web/ui/use-in-view.ts';
import { pictureQuery } from './picture-query.ts';

interface Props extends Partial<PictureSize> {
  touchpointId: string;
  /** Changes when the email does: the id of its last send, or when it was changed. */
  version: string;
}

/**
 * The email of a touchpoint as a small picture, as it was sent last or as it is written. Loaded and drawn only while it is in
 * view, so a page has as many frames as fit on the screen.
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
 * The picture that stands for a record in a list: of the email that was sent last, or else of the newest.
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
