/** Organization, touchpoint and brand of a send. */
export interface SendRef {
  organizationId: string;
  sendId: string;
  touchpointId: string;
  brandId: string;
  /** Events of a test send are not counted. */
  isTest: boolean;
}
