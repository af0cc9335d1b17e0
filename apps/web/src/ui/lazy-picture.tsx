import { useQuery } from '@tanstack/react-query';
import { PictureFrame, type PictureSize } from './picture-frame.tsx';
import { limitPictures } from './picture-limit.ts';
import { useInView } from './use-in-view.ts';

interface Props extends Partial<PictureSize> {
  /** All that changes the picture. Without an owner at its start, so that changes of other records do not refetch it. */
  name: readonly unknown[];
  ask: (options: { signal: AbortSignal }) => Promise<{ html: string | null }>;
  enabled?: boolean;
  isWhole?: boolean;
}

/** A thumbnail of an email. Loaded and rendered only while in view, so that a page has no more frames than fit on the screen. */
export function LazyPicture({ name, ask, enabled = true, isWhole = false, width = 44, height = 32 }: Props) {
  const [ref, isInView] = useInView();
  const { data } = useQuery({
    queryKey: ['picture', ...name],
    queryFn: ({ signal }) => limitPictures(signal, () => ask({ signal })),
    // They can have 200,000 characters, and are kept while moving between lists.
    staleTime: Infinity,
    gcTime: 600_000,
    retry: false,
    meta: { quiet: true },
    enabled: enabled && isInView,
  });
  return (
    <span ref={ref} style={{ flex: 'none' }}>
      <PictureFrame
        html={isInView ? data?.html : undefined}
        isWhole={isWhole}
        width={width}
        height={height}
      />
    </span>
  );
}
