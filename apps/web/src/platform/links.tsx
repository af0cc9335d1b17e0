import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Native<P> = P & Omit<ComponentPropsWithRef<'a'>, keyof P>;

// The router marks every link whose path is a prefix of the current one as "current"; only the navigation may do that.
function RawAnchor({ 'aria-current': _current, ...props }: Native<AnchorProps>) {
  return <Anchor {...props} />;
}
function RawButton({ 'aria-current': _current, ...props }: Native<ButtonProps>) {
  return <Button component="a" {...props} />;
}

/** Mantine styling with the router's typed `to`, `params` and `search`. */
export const LinkAnchor = createLink(RawAnchor);
export const LinkButton = createLink(RawButton);

/** A link as a value, created with `linkOptions`, which checks its target. */
export interface LinkValue {
  label: string;
  to: string;
  params: object;
}
