import { placesFor, type Level, type Place } from '#web/content/editor/source/operations.ts';
import {
  childrenOf,
  type ParsedSource,
  type SourceContainer,
  type SourceNode,
} from '#web/content/editor/source/parse-source.ts';
import { around, type Rect } from './canvas-document.ts';

export interface FoundPlace {
  place: Place;
  /** Content between sections needs a section of its own. */
  needsSection: boolean;
  /** Where to draw a line. */
  line: Rect;
}

interface Geometry {
  rects: ReadonlyMap<number, Rect>;
  /** All of the email. */
  page: Rect;
}

export function rectOf(node: SourceNode, rects: ReadonlyMap<number, Rect>): Rect | undefined {
  const own = node.kind === 'element' ? rects.get(node.start) : undefined;
  if (own) return own;
  const inner = childrenOf(node).flatMap((child) => rectOf(child, rects) ?? []);
  return inner.length === 0 ? undefined : around(inner);
}

/**
 * @param moved  the block that is moved; new content may also be put between sections
 * @returns the place for a block that is nearest to a point of the canvas
 */
export function findPlace(
  parsed: ParsedSource,
  geometry: Geometry,
  point: { x: number; y: number },
  level: Level,
  moved: SourceNode | undefined,
): FoundPlace | undefined {
  const candidates = [
    ...placesFor(parsed, level, moved).map((place) => ({ place, needsSection: false })),
    ...(moved === undefined && level === 'content'
      ? placesFor(parsed, 'section').map((place) => ({ place, needsSection: true }))
      : []),
  ];
  let best: { found: FoundPlace; distance: number } | undefined;
  for (const { place, needsSection } of candidates) {
    const line = lineOf(parsed, geometry, place);
    if (line === undefined) continue;
    const away = (at: number, from: number, to: number) => Math.max(0, from - at, at - to);
    const distance =
      away(point.x, line.left, line.right) + away(point.y, line.top, line.bottom) + (needsSection ? 14 : 0);
    if (best === undefined || distance < best.distance)
      best = { found: { place, needsSection, line }, distance };
  }
  return best?.found;
}

function lineOf(
  parsed: ParsedSource,
  { rects, page }: Geometry,
  { container, index }: Place,
): Rect | undefined {
  const box = boxOf(parsed, rects, page, container);
  const near = (step: -1 | 1): Rect | undefined => {
    const { children } = container;
    for (let at = step < 0 ? index - 1 : index; at >= 0 && at < children.length; at += step) {
      const rect = rectOf(children[at]!, rects);
      if (rect) return rect;
    }
    return undefined;
  };
  const before = near(-1);
  const after = near(1);
  const outer = box ?? before ?? after;
  if (outer === undefined) return undefined;
  const some = before ?? after;
  if (some && container.kind === 'element' && some.right - some.left < (outer.right - outer.left) * 0.8) {
    const x = before && after ? (before.right + after.left) / 2 : (before?.right ?? after!.left);
    if (!before || !after || before.bottom > after.top + 1)
      return { left: x, right: x, top: some.top, bottom: some.bottom };
  }
  const y =
    before && after
      ? (before.bottom + after.top) / 2
      : (before?.bottom ?? after?.top ?? (outer.top + outer.bottom) / 2);
  return { left: outer.left, right: outer.right, top: y, bottom: y };
}

function boxOf(
  { body }: ParsedSource,
  rects: ReadonlyMap<number, Rect>,
  page: Rect,
  container: SourceContainer,
): Rect | undefined {
  if (container === body) return page;
  if (container.kind === 'element') return rects.get(container.start);
  const inner = container.children.flatMap((child) => rectOf(child, rects) ?? []);
  return inner.length === 0 ? undefined : around(inner);
}
