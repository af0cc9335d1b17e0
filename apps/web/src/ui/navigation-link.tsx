import type { Icon } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { lazy, Suspense, type ComponentPropsWithRef } from 'react';
import { loadChunk } from '#web/platform/lazy-chunks.ts';

const NavigationLinkSpecial = lazy(() => loadChunk(() => import('./navigation-link-special.tsx')));

export type NavigationAnchorProps = Pick<
  ComponentPropsWithRef<'a'>,
  'className' | 'onClick' | 'ref' | 'aria-current'
>;

interface Props extends NavigationAnchorProps, Pick<LinkProps, 'activeOptions'> {
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
  const content = (
    <>
      <EntryIcon size={18} aria-hidden />
      <span className={wordClass}>{label}</span>
    </>
  );
  if (external || disabled !== undefined)
    return (
      <Suspense fallback={<span className={props.className}>{content}</span>}>
        <NavigationLinkSpecial {...props} href={href} disabled={disabled}>
          {content}
        </NavigationLinkSpecial>
      </Suspense>
    );
  return (
    <Link {...props} to={href} activeOptions={activeOptions}>
      {content}
    </Link>
  );
}
