/*
 * `redocly lint` without notices about telemetry, updates and the end of Node 20. No option of the linter turns off the
 * last one.
 */
process.env.REDOCLY_TELEMETRY = 'off';
process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = 'true';

const write = process.stderr.write.bind(process.stderr);
process.stderr.write = (chunk, ...rest) =>
  String(chunk).includes('Node.js 20 support is ending') || write(chunk, ...rest);

process.argv.splice(2, 0, 'lint', '--config', 'scripts/redocly.yaml');
await import('@redocly/cli/bin/cli.js');
