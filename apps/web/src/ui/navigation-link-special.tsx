import { Box, VisuallyHidden } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { NavigationAnchorProps } from './navigation-link.tsx';

interface Props extends NavigationAnchorProps {
  href: string;
  /** Why it cannot be used at present; undefined for one that leads out of the app. */
  disabled: string | undefined;
  children: ReactNode;
}

/** The entries of a side navigation that are few, and so not part of the first load. */
export default function NavigationLinkSpecial({ href, disabled, children, ...props }: Props) {
  const { t } = useTranslation('shell');
  if (disabled === undefined)
    return (
      <a {...props} href={href} target="_blank" rel="noopener noreferrer">
        {children}
        <IconExternalLink size={14} aria-hidden />
        <VisuallyHidden>({t('words.opensNew')})</VisuallyHidden>
      </a>
    );
  const { onClick: _onClick, ...looks } = props;
  return (
    // Without a target it would be no link to screen readers.
    <Box component="a" {...looks} role="link" tabIndex={0} aria-disabled>
      {children}
      <VisuallyHidden>: {disabled}</VisuallyHidden>
    </Box>
  );
}
