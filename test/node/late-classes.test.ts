import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadClassesLate } from '../../src/node/late-classes.ts';

describe("Node's web classes in the process of the command", () => {
  const NAMES = ['Headers', 'Request', 'Response'] as const;
  const platform = { Headers, Request, Response };
  const descriptors = NAMES.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  let loaded: string[];

  beforeEach(() => {
    loaded = [];
    // As Node has them before their first use.
    for (const name of NAMES) {
      Object.defineProperty(globalThis, name, {
        configurable: true,
        get() {
          loaded.push(name);
          return platform[name];
        },
      });
    }
    loadClassesLate('20.19.0');
  });

  afterEach(() => {
    NAMES.forEach((name, index) => {
      Object.defineProperty(globalThis, name, descriptors[index] as PropertyDescriptor);
    });
  });

  it('are not loaded by what extends them or asks for an instance', () => {
    class Light extends Response {}
    expect(Light.prototype).toBeInstanceOf(Response);
    expect({ 'content-type': 'text/plain' }).not.toBeInstanceOf(Headers);
    expect([]).not.toBeInstanceOf(Headers);
    expect('text').not.toBeInstanceOf(Request);
    expect(loaded).toEqual([]);
  });

  it('are loaded once, by the first construction', async () => {
    const response = new Response('{"a":1}', { status: 201 });
    expect(response).toBeInstanceOf(platform.Response);
    expect(response).toBeInstanceOf(Response);
    expect([response.status, await response.json()]).toEqual([201, { a: 1 }]);
    expect(new Response().ok).toBe(true);
    expect(loaded).toEqual(['Response']);
  });

  it('have their methods in classes that extended them before', () => {
    class Light extends Headers {}
    const headers = new Light({ 'X-Name': 'value' });
    expect(headers).toBeInstanceOf(Light);
    expect(headers).toBeInstanceOf(platform.Headers);
    expect(headers.get('x-name')).toBe('value');
  });

  it('have their static methods', async () => {
    expect(await Response.json({ a: 1 }).json()).toEqual({ a: 1 });
    expect(Response.redirect('http://127.0.0.1/').status).toBe(302);
    expect(Response.error().type).toBe('error');
  });

  it('recognize what the platform made, such as a response of fetch', () => {
    expect(new platform.Response()).toBeInstanceOf(Response);
    expect(new platform.Headers()).toBeInstanceOf(Headers);
    expect(new platform.Request('http://127.0.0.1')).toBeInstanceOf(Request);
    expect(new platform.Request('http://127.0.0.1')).not.toBeInstanceOf(Response);
  });

  it('stay as they are in Node 24, which would load them at once', () => {
    const [before] = descriptors;
    Object.defineProperty(globalThis, 'Headers', before as PropertyDescriptor);
    loadClassesLate('24.11.0');
    expect(Object.getOwnPropertyDescriptor(globalThis, 'Headers')).toEqual(before);
  });

  it('stay as they are if they are loaded already', () => {
    Object.defineProperty(globalThis, 'Response', { value: platform.Response, configurable: true });
    loadClassesLate('20.19.0');
    expect(globalThis.Response).toBe(platform.Response);
  });
});
