import { useQuery } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { compact } from '#web/platform/list-search.ts';
import { PictureFrame, type PictureSize } from '#web/ui/picture-frame.tsx';
import { limitPictures, pictureOptions } from '#web/ui/picture-limit.ts';
import { useInView } from '#web/ui/use-in-view.ts';

interface Props extends Partial<PictureSize> {
  template: { id: string; date_updated: string };
  /** In whose name it is shown; otherwise in that of the brand it belongs to. */
  brandId?: string;
}

/** What a template makes of an email, as a small picture. Loaded and drawn only while it is in view. */
export function TemplatePicture({ template, brandId, width = 44, height = 32 }: Props) {
  const { id, date_updated } = template;
  const { orgId } = useOrganization();
  const [ref, isInView] = useInView();
  const { data } = useQuery({
    // Begins with no owner: a change of another record draws no picture anew.
    queryKey: ['template picture', orgId, id, brandId, date_updated],
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
