/** Where a send belongs. */
export interface SendPlace {
  organizationId: string;
  sendId: string;
  touchpointId: string;
  brandId: string;
}
