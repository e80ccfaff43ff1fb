/* Node's `Headers`, `Request` and `Response`, loaded when one of them is first used. */

/*
 * Node 20 takes 25 ms to load these classes, a quarter of the time from a start to the first response. The server needs
 * none of them for most responses: `@hono/node-server` has light ones of its own, which only extend Node's.
 */

type AnyClass = new (...args: unknown[]) => object;

/** Static methods by class, which a class that is not loaded must have too. */
const STATIC_METHODS = {
  Headers: [],
  Request: [],
  Response: ['error', 'json', 'redirect'],
} as const;

/** From this version on, Node loads a class even for a look at its property: it would be loaded too early. */
const FIRST_WITHOUT_GETTERS = 24;

/**
 * Replaces the global classes with classes that load them. For a process that is the sandbox's own only: what a program
 * compares with `constructor` would differ.
 *
 * @param version of Node
 */
export function loadClassesLate(version = process.versions.node): void {
  if (Number.parseInt(version, 10) >= FIRST_WITHOUT_GETTERS) return;
  for (const [name, methods] of Object.entries(STATIC_METHODS)) {
    const load = Object.getOwnPropertyDescriptor(globalThis, name)?.get;
    // Without a getter the class is loaded already.
    if (!load) continue;
    Object.defineProperty(globalThis, name, {
      value: lateClass(() => load.call(globalThis), methods),
      writable: true,
      configurable: true,
    });
  }
}

/** A class that becomes a subclass of the loaded one at the first construction. */
function lateClass(load: () => AnyClass, methods: readonly string[]): AnyClass {
  let loaded: AnyClass | undefined;
  function Late(...args: unknown[]): object {
    const loadedClass = loadOnce();
    // A subclass keeps its prototype.
    return Reflect.construct(loadedClass, args, new.target === Late ? loadedClass : new.target);
  }
  function loadOnce(): AnyClass {
    if (loaded) return loaded;
    loaded = load();
    Object.setPrototypeOf(Late.prototype, loaded.prototype);
    return loaded;
  }
  for (const method of methods) {
    Object.defineProperty(Late, method, { get: () => Reflect.get(loadOnce(), method) });
  }
  // `fetch` returns objects of the loaded class.
  Object.defineProperty(Late, Symbol.hasInstance, {
    value: (value: unknown) =>
      Object.prototype.isPrototypeOf.call(Late.prototype, value as object) ||
      (!isPlain(value) && value instanceof loadOnce()),
  });
  return Late as unknown as AnyClass;
}

/** Whether a value is surely no instance, so that nothing is loaded to find out. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  return Object.getPrototypeOf(value) === Object.prototype;
}
