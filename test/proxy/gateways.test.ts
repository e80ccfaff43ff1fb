/* What the proxy says of responses that are not of the service itself, and of a framework's own refusals. */
import { expect, onTestFinished, test } from 'vitest';
import { startLaravel } from '../strangers/laravel.ts';
import { fake, proxyTo } from './support.ts';

const QUOTE = '/api/merchant/micro_health/get_quote';
const INITIATE = '/api/merchant/micro_health/initiate';

const post = (url: string, body: unknown, key = 'sk_sandbox_demo') =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test.each([
  [429, 'application/json', '{"message":"Too Many Attempts."}', 'a rate limit (429)'],
  [408, 'application/json', '{"error":"slow"}', 'a time-out (408)'],
  [302, 'text/html', '<html></html>', 'a redirect (302)'],
  [503, 'text/html', '<html>maintenance</html>', 'the page of a gateway (503)'],
])('%d as %s goes through untouched, and is told as that', async (status, type, text, why) => {
  const target = await fake((_request, response) => {
    response.writeHead(status, { 'content-type': type, location: '/elsewhere' });
    response.end(text);
  });
  const { url, told } = await proxyTo(target);
  const answer = await post(url + QUOTE, {});
  expect([answer.status, await answer.text()]).toEqual([status, text]);
  expect(answer.headers.has('sandbox-differences')).toBe(false);
  expect(told).toMatchObject([{ status, not_judged: why, differences: [] }]);
});

test('the fields and words of a Laravel refusal stay readable, and its values do not', async () => {
  const stranger = await startLaravel();
  onTestFinished(() => stranger.close());
  const { url, judge } = await proxyTo(stranger.url);
  await post(url + INITIATE, { first_name: 'Bisi', email: 'bisi@example.com' }, stranger.key);
  const [entry] = judge.entries();
  const seen = JSON.stringify(entry?.differences);
  expect(seen).toContain('The surname field is required.');
  expect(seen).not.toMatch(/Bisi|bisi@/);
});
