/** Where a send belongs. */
export interface SendRef {
  organizationId: string;
  sendId: string;
  touchpointId: string;
  brandId: string;
}
