/** Where a send belongs. */
export interface SendRef {
  organizationId: string;
  sendId: string;
  touchpointId: string;
  brandId: string;
  /** Nothing that comes back from it counts. */
  isTest: boolean;
}
