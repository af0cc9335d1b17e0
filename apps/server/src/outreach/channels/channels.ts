import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import type { Channel } from './channel.ts';
import { email } from './email/email-channel.ts';
import { website } from './website/website-channel.ts';

/** Annotated instead of `satisfies`: a type without a channel is then an error here, and not at each reader as well. */
export const channels: Readonly<Record<TouchpointType, Channel>> = { email, website };
