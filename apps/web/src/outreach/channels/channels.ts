import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import type { Channel } from './channel.ts';
import { email } from './email/email-channel.tsx';
import { website } from './website/website-channel.ts';

export const channels = { email, website } satisfies Record<TouchpointType, Channel>;
