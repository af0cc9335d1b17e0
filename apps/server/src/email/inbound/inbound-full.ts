/** Too much returned mail waits to be read: the sender is asked to try again later. */
export class InboundFull extends Error {
  constructor() {
    super('Too much returned mail waits to be read.');
    this.name = 'InboundFull';
  }
}
