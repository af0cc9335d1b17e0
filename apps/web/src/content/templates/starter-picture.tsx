import type { TemplateStarter } from '@reachout/contract/templates.ts';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { LazyPicture } from '#web/ui/lazy-picture.tsx';
import type { PictureSize } from '#web/ui/picture-frame.tsx';

interface Props extends PictureSize {
  starter: TemplateStarter;
  brandId: string;
}

/** A default template in the look of a brand. */
export function StarterPicture({ starter, brandId, ...size }: Props) {
  const { i18n } = useTranslation();
  const { orgId, can } = useOrganization();
  const language = i18n.language === 'de' ? 'de' : 'en';
  const input = { organization_id: orgId, starter, language, brand_id: brandId } as const;
  return (
    <LazyPicture
      {...size}
      isWhole
      name={['starter', input]}
      enabled={can('read', 'Template')}
      ask={(options) => client.templates.starterPicture(input, options)}
    />
  );
}
