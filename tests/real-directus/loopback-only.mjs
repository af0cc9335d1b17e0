// Loaded before Directus: nothing of the test leaves this machine, not even the report of use that its free tier makes. Other
// hosts are as if nobody listened there.
import { Socket } from 'node:net';

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);
const nobody = { host: '127.0.0.1', port: 1, lookup: undefined };
const { connect } = Socket.prototype;

Socket.prototype.connect = function (...args) {
  // `net.connect` passes its normalized arguments as one list.
  const given = Array.isArray(args[0]) ? args[0] : args;
  const [first, second] = given;
  const options = typeof first === 'object' ? first : { port: first, host: second };
  if (options.path === undefined && !loopback.has(options.host ?? 'localhost')) {
    if (typeof first === 'object') Object.assign(first, nobody);
    else given.splice(0, 2, nobody.port, nobody.host);
  }
  return connect.apply(this, args);
};
