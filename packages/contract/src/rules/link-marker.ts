// In the picture of an email each tracked link leads to a marker in place of its destination, which says which link it is.

export const linkMarker = (linkNo: number): string => `about:blank#link-${linkNo}`;

/** @returns undefined for what is no marker */
export function linkNoOfMarker(address: string): number | undefined {
  const [, linkNo] = /^about:blank#link-(\d{1,9})$/.exec(address) ?? [];
  return linkNo === undefined ? undefined : Number(linkNo);
}
