import { runCommand } from './run-command.ts';

// npm run dev: the server, started again at each change, and Vite's development server, which passes /api on to it.

const server = runCommand('node', ['--watch', '--watch-preserve-output', 'scripts/start.ts'], {});
const web = runCommand('vite', [], { cwd: 'apps/web' });

await Promise.race([server, web]);
// One without the other is of no use: the same as an interruption from outside.
process.emit('SIGTERM', 'SIGTERM');
await Promise.all([server, web]);
