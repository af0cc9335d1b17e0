import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { compact } from '#web/platform/list-search.ts';
import { LazyPicture } from '#web/ui/lazy-picture.tsx';
import type { PictureSize } from '#web/ui/picture-frame.tsx';

interface Props extends Partial<PictureSize> {
  template: { id: string; date_updated: string };
  /** The brand to render it for. Default: the brand that the template belongs to. */
  brandId?: string;
}

/** A thumbnail of an email made from the template. */
export function TemplatePicture({ template: { id, date_updated }, brandId, ...size }: Props) {
  const { orgId } = useOrganization();
  const input = compact({ organization_id: orgId, id, brand_id: brandId });
  return (
    <LazyPicture
      {...size}
      name={['template', input, date_updated]}
      ask={(options) => client.templates.picture(input, options)}
    />
  );
}
