import { runCommand } from './run-command.ts';

// npm run dev: starts the server, which restarts on each change, and Vite's development server, which proxies /api to it.

const server = runCommand('node', ['--watch', '--watch-preserve-output', 'scripts/start.ts'], {});
const web = runCommand('vite', [], { cwd: 'apps/web' });

await Promise.race([server, web]);
// One is useless without the other, so both are stopped, as by a signal from outside.
process.emit('SIGTERM', 'SIGTERM');
await Promise.all([server, web]);
