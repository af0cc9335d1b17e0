import {
  Anchor,
  Button,
  NavLink,
  type AnchorProps,
  type ButtonProps,
  type NavLinkProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Native<P> = P & Omit<ComponentPropsWithRef<'a'>, keyof P>;

function RawAnchor(props: Native<AnchorProps>) {
  return <Anchor {...props} />;
}
function RawButton(props: Native<ButtonProps>) {
  return <Button component="a" {...props} />;
}
function RawNavLink(props: Native<NavLinkProps>) {
  return <NavLink component="a" {...props} />;
}

/** Mantine's looks, the router's typed `to`, `params` and `search`. */
export const LinkAnchor = createLink(RawAnchor);
export const LinkButton = createLink(RawButton);
export const LinkNav = createLink(RawNavLink);
