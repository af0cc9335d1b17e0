import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Native<P> = P & Omit<ComponentPropsWithRef<'a'>, keyof P>;

// The router calls every link whose address starts the current one "current"; only the navigation may say that.
function RawAnchor({ 'aria-current': _current, ...props }: Native<AnchorProps>) {
  return <Anchor {...props} />;
}
function RawButton({ 'aria-current': _current, ...props }: Native<ButtonProps>) {
  return <Button component="a" {...props} />;
}

/** Mantine's looks, the router's typed `to`, `params` and `search`. */
export const LinkAnchor = createLink(RawAnchor);
export const LinkButton = createLink(RawButton);

/** A link as a value, made with `linkOptions`, which checks its address. */
export interface LinkValue {
  label: string;
  to: string;
  params: object;
}
