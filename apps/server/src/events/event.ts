/** An open or a click, as it is stored. */
export interface MessageEvent {
  id: string;
  organizationId: string;
  touchpointId: string;
  sendId: string;
  seq: number;
  type: 'OPEN_EMAIL' | 'CLICK';
  /** The link's number in the frozen email; null for an open. */
  linkNo: number | null;
  at: Date;
  /** A mail program's proxy or a scanner, not a person. */
  automatic: boolean;
  userAgent: string | null;
  network: string | null;
}
