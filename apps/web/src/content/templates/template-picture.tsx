import { useQuery } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { compact } from '#web/platform/list-search.ts';
import { PictureFrame, type PictureSize } from '#web/ui/picture-frame.tsx';
import { limitPictures, pictureOptions } from '#web/ui/picture-limit.ts';
import { useInView } from '#web/ui/use-in-view.ts';

interface Props extends Partial<PictureSize> {
  template: { id: string; date_updated: string };
  /** The brand to render it for. Default: the brand that the template belongs to. */
  brandId?: string;
}

/** A thumbnail of an email made from the template. Loaded and rendered only while in view. */
export function TemplatePicture({ template, brandId, width = 44, height = 32 }: Props) {
  const { id, date_updated } = template;
  const { orgId } = useOrganization();
  const [ref, isInView] = useInView();
  const { data } = useQuery({
    // The key does not start with an owner, so changes of other records do not refetch the thumbnail.
    queryKey: ['picture', 'template', orgId, id, brandId, date_updated],
    queryFn: ({ signal }) =>
      limitPictures(signal, () =>
        client.templates.picture(compact({ organization_id: orgId, id, brand_id: brandId }), { signal }),
      ),
    ...pictureOptions,
    enabled: isInView,
  });
  return (
    <span ref={ref} style={{ flex: 'none' }}>
      <PictureFrame html={isInView ? data?.html : undefined} width={width} height={height} />
    </span>
  );
}
