import type { TemplateStarter } from '@reachout/contract/templates.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { PictureFrame, type PictureSize } from '#web/ui/picture-frame.tsx';
import { limitPictures, pictureOptions } from '#web/ui/picture-limit.ts';
import { useInView } from '#web/ui/use-in-view.ts';

interface Props extends PictureSize {
  starter: TemplateStarter;
  brandId: string;
}

/** A default template in the look of a brand. Loaded and rendered only while in view. */
export function StarterPicture({ starter, brandId, width, height }: Props) {
  const { i18n } = useTranslation();
  const { orgId, can } = useOrganization();
  const [ref, isInView] = useInView();
  const language = i18n.language === 'de' ? 'de' : 'en';
  const input = { organization_id: orgId, starter, language, brand_id: brandId } as const;
  const { data } = useQuery({
    queryKey: ['picture', 'starter', input],
    queryFn: ({ signal }) => limitPictures(signal, () => client.templates.starterPicture(input, { signal })),
    ...pictureOptions,
    enabled: isInView && can('read', 'Template'),
  });
  return (
    <span ref={ref} style={{ flex: 'none' }}>
      <PictureFrame html={isInView ? data?.html : undefined} isWhole width={width} height={height} />
    </span>
  );
}
