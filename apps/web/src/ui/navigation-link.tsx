import { Box, VisuallyHidden } from '@mantine/core';
import { IconExternalLink, type Icon } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { useTranslation } from 'react-i18next';

interface Props
  extends
    Pick<ComponentPropsWithRef<'a'>, 'className' | 'onClick' | 'ref' | 'aria-current'>,
    Pick<LinkProps, 'activeOptions'> {
  href: string;
  label: string;
  icon: Icon;
  /** Leads out of the app, into a new tab. */
  external?: boolean | undefined;
  /** Why it cannot be used at present. It keeps its place, and is focusable, so that the reason can be read. */
  disabled?: string | undefined;
  wordClass?: string | undefined;
}

/** An entry of a side navigation. */
export function NavigationLink({
  href,
  label,
  icon: EntryIcon,
  external = false,
  disabled,
  wordClass,
  activeOptions = {},
  ...props
}: Props) {
  const { t } = useTranslation('shell');
  const content = (
    <>
      <EntryIcon size={18} stroke={1.75} aria-hidden />
      <span className={wordClass}>{label}</span>
    </>
  );
  if (disabled !== undefined) {
    const { onClick: _onClick, ...looks } = props;
    return (
      // Without a target it would be no link to screen readers.
      <Box component="a" {...looks} role="link" tabIndex={0} aria-disabled>
        {content}
        <VisuallyHidden>: {disabled}</VisuallyHidden>
      </Box>
    );
  }
  if (external)
    return (
      <a {...props} href={href} target="_blank" rel="noopener noreferrer">
        {content}
        <IconExternalLink size={14} stroke={1.75} aria-hidden />
        <VisuallyHidden>({t('newTab')})</VisuallyHidden>
      </a>
    );
  return (
    <Link {...props} to={href} activeOptions={activeOptions}>
      {content}
    </Link>
  );
}
