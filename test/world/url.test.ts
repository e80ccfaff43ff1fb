import { expect, test } from 'vitest';
import { parseUrl } from '../../src/world/platform.ts';

test('a URL is recognized however many were parsed before', () => {
  for (let port = 0; port < 50_000; port++) parseUrl(`http://localhost:${port}`);
  expect(parseUrl('https://bücher.example')?.origin).toBe('https://xn--bcher-kva.example');
  expect(parseUrl('https://xn--bcher-kva.example/bücher')?.pathname).toBe('/b%C3%BCcher');
  for (const text of ['', '/path', 'localhost', 'http://', 'http://a:99999']) {
    expect(parseUrl(text), text).toBeUndefined();
  }
});
