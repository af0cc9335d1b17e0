import type { Brand } from '@reachout/contract/clients.ts';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { refresh } from '#web/platform/query-client.ts';
import { ImageField } from '#web/ui/image-field.tsx';
import { redrawPictures } from '#web/ui/picture-limit.ts';
import { BrandTheme } from './brand-kit-preview.tsx';
import { BrandMark } from './brand-mark.tsx';

export function BrandLogos({ brand }: { brand: Brand }) {
  const { t } = useTranslation('brandKit');
  const { orgId } = useOrganization();
  const fields = [
    { theme: 'light', url: brand.logo_url, label: t('logo'), kind: 'brandLogo' },
    { theme: 'dark', url: brand.dark_logo_url, label: t('darkLogo'), kind: 'darkLogo' },
  ] as const;
  return fields.map(({ theme, url, label, kind }) => (
    <ImageField
      key={theme}
      label={label}
      url={url}
      kind={kind}
      id={brand.id}
      preview={(shown) => (
        <BrandTheme color={brand.color} theme={theme}>
          <BrandMark
            size={64}
            theme={theme}
            brand={
              theme === 'light'
                ? { ...brand, logo_url: shown }
                : { ...brand, logo_url: null, dark_logo_url: shown }
            }
          />
        </BrandTheme>
      )}
      onChanged={() => Promise.all([refresh(orgId), redrawPictures()])}
    />
  ));
}
