import type { TouchpointDetails } from '@reachout/contract/touchpoints.ts';
import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';

/** The differences between types of touchpoints on screen. Other code uses `channels` and contains no type names. */
export interface Channel {
  icon: Icon;
  /** Pages of its workspace in a state, in tab order. The first page is opened by default, unless a send is open. */
  pages: (state: WorkspaceState) => WorkspacePages;
  /** Shown prominently beside client and brand. */
  Note?: ComponentType;
  /** The primary action of the workspace, on each of its pages. */
  Action?: ComponentType;
  /** Settings of this channel, beside those of all touchpoints. */
  Settings?: ComponentType;
}

export type WorkspaceState = Pick<TouchpointDetails, 'status' | 'is_planned'>;

export type WorkspacePages = readonly [WorkspacePage, ...WorkspacePage[]];

export interface WorkspacePage {
  tab: WorkspaceTab;
  /** Omitted if the route renders the same page for each channel that has it. */
  Panel?: ComponentType;
}

/** Each tab is a route below a touchpoint. */
export type WorkspaceTab = 'overview' | 'email' | 'receipt' | 'statistics' | 'sends' | 'settings';
