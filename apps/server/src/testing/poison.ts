import { registerHooks } from 'node:module';

// Loaded before a worker (`--import`): the message to one recipient ends the process that builds it, as a defect of the
// runtime would.

const poisoned = 'user13@sink.example';

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/delivery/worker/active-send.ts')) return loaded;
    const text =
      typeof loaded.source === 'string'
        ? loaded.source
        : new TextDecoder().decode(loaded.source ?? undefined);
    const source = text.replace(
      'return send.renderer.build(',
      `if (recipient.address === '${poisoned}') process.abort();\n  return send.renderer.build(`,
    );
    return { ...loaded, source };
  },
});
