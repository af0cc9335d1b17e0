import type { DashboardWork } from '@reachout/contract/dashboard.ts';
import { NeedsAttention } from './attention.tsx';
import { OpenSends } from './open-sends.tsx';

/** What stands on top of the dashboard when there is something: most days nothing is loaded of it. */
export function WorkCards({ work }: { work: DashboardWork }) {
  return (
    <>
      <OpenSends work={work} />
      <NeedsAttention work={work} />
    </>
  );
}
