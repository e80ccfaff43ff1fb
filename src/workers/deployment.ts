import { ControlError } from '../control/control-error.ts';
import type { Host } from '../control/host.ts';
import { type OpenSandbox, openSandbox } from '../open-sandbox.ts';
import { type Deployment, describeMistake, readVars } from './vars.ts';

const deployments = new WeakMap<object, Deployment>();

/** What the variables of a deployment say. Throws `ControlError` (503) where they can't be followed. */
export function deploymentOf(env: object): Deployment {
  const known = deployments.get(env) ?? followed(() => readVars(env));
  deployments.set(env, known);
  return known;
}

/** Opens a part of a hosted sandbox: it begins without merchants. Throws `ControlError` (503). */
export const openPart = (
  env: object,
  { autoMerchants = false, ...host }: Omit<Host, 'closing'> & { readonly autoMerchants?: boolean },
): OpenSandbox => {
  const { options, hasDemo } = deploymentOf(env);
  const warn = (line: string) => console.warn(line);
  return followed(() =>
    openSandbox({ ...options, autoMerchants }, { warn, isHosted: true, hasDemo, ...host }),
  );
};

const strangers = new WeakMap<object, OpenSandbox>();

/** The sandbox that answers whoever has no World: it has no merchant, and keeps nothing. */
export function strangersOf(env: object): OpenSandbox {
  const known = strangers.get(env) ?? openPart(env, {});
  strangers.set(env, known);
  return known;
}

/** What a deployment says that can't be done is nothing that a caller did wrong. */
function followed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const why = describeMistake(error as Error);
    throw new ControlError(503, `This sandbox is set up wrongly. ${why}`);
  }
}
