/*
 * `redocly lint` without its notices: telemetry, newer versions, and the box that says on every run under
 * Node 20 that Node 20 reached its end. No option of the linter turns that one off.
 */
process.env.REDOCLY_TELEMETRY = 'off';
process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = 'true';

const write = process.stderr.write.bind(process.stderr);
process.stderr.write = (chunk, ...rest) =>
  String(chunk).includes('Node.js 20 support is ending') || write(chunk, ...rest);

process.argv.splice(2, 0, 'lint', '--config', 'scripts/redocly.yaml');
await import('@redocly/cli/bin/cli.js');
