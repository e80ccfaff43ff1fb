import { serve } from '@hono/node-server';
import { createBareStack } from '../bare-stack.ts';

const QUOTE = {
  body: '{"success":true,"response_message":"","response_code":"QOT101","data":{"quote_price":700}}',
  headers: { 'content-type': 'application/json' },
};

/** The bare stack as a program, for the sandbox's launcher. */
export function main({ onServing }: { onServing?: () => void } = {}): void {
  const { fetch } = createBareStack(() => QUOTE);
  serve({ fetch, port: Number(process.argv[2]), hostname: '127.0.0.1' }, () => onServing?.());
}
