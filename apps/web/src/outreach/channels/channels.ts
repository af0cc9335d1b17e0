import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import type { Channel, WorkspaceState } from './channel.ts';
import { email } from './email/email-channel.tsx';
import { website } from './website/website-channel.ts';

/** Annotated rather than `satisfies`: a type without a channel is then an error here instead of at each use. */
export const channels: Readonly<Record<TouchpointType, Channel>> = { email, website };

export const pagesOf = ({ type, ...state }: WorkspaceState & { type: TouchpointType }) =>
  channels[type].pages(state);
