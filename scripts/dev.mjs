/* Runs the command, and restarts it when its source changes: `npm run dev -- --port 8080`. */
import { spawn } from 'node:child_process';
import { context } from 'esbuild';
import { bundledText, rawText } from './bundle.mjs';

const outfile = 'node_modules/.cache/dev/main.cjs';

const bundle = await context({
  stdin: { contents: "import { main } from './src/command/main.ts'; main();", resolveDir: '.' },
  outfile,
  bundle: true,
  platform: 'node',
  mainFields: ['module', 'main'],
  format: 'cjs',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
  plugins: [rawText, bundledText],
});
await bundle.rebuild();
await bundle.watch();

const watch = ['--watch', '--watch-preserve-output', '--enable-source-maps'];
const command = spawn(process.execPath, [...watch, outfile, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => command.kill(signal));
command.on('exit', (code) => process.exit(code ?? 0));
