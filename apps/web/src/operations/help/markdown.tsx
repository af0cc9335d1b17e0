import { VisuallyHidden } from '@mantine/core';
import { compiler, RuleType } from 'markdown-to-jsx/react';
import { createElement, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkAnchor } from '#web/platform/links.tsx';
import { highestHeading, parserOptions } from './highest-heading.ts';
import { readTarget } from './link-target.ts';
import classes from './markdown.module.css';

export interface MarkdownProps {
  text: string;
  /** The level of its highest headings, below that of the heading above the text. */
  level: number;
  /** Whether headings can be linked to; they need be unique within the document then. */
  hasAnchors?: boolean;
  /** Opens a page of the help in place instead of following the link. */
  onPage?: ((name: string) => void) | undefined;
}

/** Renders Markdown as elements. Markup in it is shown as text, and images as the words that stand for them. */
export function Markdown({ text, level, hasAnchors = false, onPage }: MarkdownProps) {
  const highest = highestHeading(text);
  return (
    <div className={classes.text}>
      {compiler(text, {
        ...parserOptions,
        wrapper: null,
        // Addresses are checked where they are used.
        sanitizer: (value) => value,
        renderRule: (next, node, renderChildren, state) => {
          if (node.type === RuleType.heading)
            return createElement(
              `h${Math.min(6, level + node.level - highest)}`,
              { key: state.key, ...(hasAnchors ? { id: node.id } : {}) },
              renderChildren(node.children, state),
            );
          if (node.type === RuleType.link)
            return (
              <TextLink key={state.key} address={node.target} onPage={onPage}>
                {renderChildren(node.children, state)}
              </TextLink>
            );
          if (node.type === RuleType.image) return node.alt ?? null;
          return next();
        },
      })}
    </div>
  );
}

interface LinkProps {
  address: string | null;
  onPage: ((name: string) => void) | undefined;
  children: ReactNode;
}

function TextLink({ address, onPage, children }: LinkProps) {
  const { t } = useTranslation('shell');
  const target = readTarget(address ?? '', location.origin);
  switch (target?.is) {
    case 'help':
      return (
        <LinkAnchor
          to={target.path as '/help'}
          hash={target.hash}
          underline="always"
          {...(onPage && target.page !== undefined
            ? {
                onClick: (event) => {
                  event.preventDefault();
                  onPage(target.page!);
                },
              }
            : {})}
        >
          {children}
        </LinkAnchor>
      );
    case 'here':
      return <a href={target.href}>{children}</a>;
    case 'elsewhere':
      return (
        <a href={target.href} target="_blank" rel="noopener noreferrer">
          {children} <VisuallyHidden component="span">({t('words.opensNew')})</VisuallyHidden>
        </a>
      );
    default:
      return children;
  }
}
