import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';

/** What differs on screen between types of touchpoints. Everything else reads it from `channels` and names no type. */
export interface Channel {
  icon: Icon;
  /** Its workspace, in the order of the tabs. The first page opens, unless a send is open. */
  pages: WorkspacePages;
  /** Once it was sent: what came of it, and nothing that could still be prepared. */
  sentPages?: WorkspacePages;
  /** Stands beside client and brand, where nobody can miss it. */
  Note?: ComponentType;
}

export type WorkspacePages = readonly [WorkspacePage, ...WorkspacePage[]];

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
  | 'receipt'
  | 'statistics'
  | 'sends'
  | 'settings';
