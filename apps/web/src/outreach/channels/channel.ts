import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';

/** What differs on screen between types of touchpoints. Everything else reads it from `channels` and names no type. */
export interface Channel {
  icon: Icon;
  /** Its workspace, in the order of the tabs. The first page opens. */
  pages: readonly [WorkspacePage, ...WorkspacePage[]];
  /** Stands beside client and brand, where nobody can miss it. */
  Note?: ComponentType;
}

export interface WorkspacePage {
  tab: WorkspaceTab;
  /** One of the steps until it goes live, which are numbered. */
  isStep?: true;
  /** Left out where the page of the route is the same for each channel that has it. */
  Panel?: ComponentType;
}

/** Each is a route below a touchpoint. */
export type WorkspaceTab =
  | 'design'
  | 'audience'
  | 'preview'
  | 'schedule'
  | 'statistics'
  | 'sends'
  | 'settings';
