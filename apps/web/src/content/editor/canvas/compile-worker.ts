import './worker-window.ts';
import { compileMjml } from './compile.ts';

export interface CompileRequest {
  mjml: string;
}

export interface CompileReply {
  /** Undefined if this is nothing that MJML can compile. */
  html: string | undefined;
}

self.addEventListener('message', ({ data: { mjml } }: MessageEvent<CompileRequest>) => {
  const reply = (html: string | undefined) => {
    const message: CompileReply = { html };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has only one to talk to
    self.postMessage(message);
  };
  compileMjml(mjml).then(
    ({ html }) => reply(html),
    () => reply(undefined),
  );
});
