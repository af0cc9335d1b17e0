// In the preview of an email, each tracked link points to a marker with the link's number instead of its destination.

export const linkMarker = (linkNo: number): string => `about:blank#link-${linkNo}`;

/** @returns undefined if the address is not a marker */
export function linkNoOfMarker(address: string): number | undefined {
  const [, linkNo] = /^about:blank#link-(\d{1,9})$/.exec(address) ?? [];
  return linkNo === undefined ? undefined : Number(linkNo);
}
