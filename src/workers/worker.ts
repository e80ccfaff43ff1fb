import { getPath } from 'hono/utils/url';
import { bearerKey } from '../api/activity.ts';
import { isAdmin } from '../control/access.ts';
import { changedSettings } from '../openapi/ledger.ts';
import { answer, answerProblem } from './answer.ts';
import { type Bindings, merchantsOf, objectOf } from './bindings.ts';
import { deploymentOf, strangersOf } from './deployment.ts';
import type { Lifetime } from './engine.ts';
import { servePage } from './static-pages.ts';

/** The calls over all merchants. */
const OVER_SANDBOX = /^\/_sandbox\/(merchants|reset_all|journal\/all|events)(\/|$)/;
/** What anybody may read, whatever key is sent. Any other method there is a call like another. */
const PAGE =
  /^\/(|livez|readyz|favicon\.ico|docs(\/(control|reference\.(js|css)))?|openapi(-3\.0)?\.json|_sandbox|_sandbox\/assets\/.*)$/;

const isPage = (method: string, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && PAGE.test(path);

/** Sends each request to the object that answers it; what needs no World is answered here. */
export async function answerRequest(
  request: Request,
  env: Bindings,
  lifetime: Lifetime,
): Promise<Response> {
  try {
    const { options, hasDemo } = deploymentOf(env);
    const page = await servePage(request, env.ASSETS, {
      hasDemo,
      get isProfiled() {
        return changedSettings(strangersOf(env).store.settings).size > 0;
      },
    });
    if (page) return page;
    // Decoded as the app decodes it, so that both take a path for the same.
    const path = getPath(request);
    const authorization = request.headers.get('authorization') ?? undefined;
    const key = bearerKey(authorization);
    if (OVER_SANDBOX.test(path)) {
      const { adminToken } = options;
      // Whoever may not make such a call does not reach the list.
      const isAllowed = adminToken !== undefined && isAdmin(adminToken, authorization);
      return await (isAllowed
        ? merchantsOf(env).fetch(request)
        : answer(strangersOf(env), request, lifetime));
    }
    if (key === undefined || key === options.adminToken || isPage(request.method, path)) {
      return await answer(strangersOf(env), request, lifetime);
    }
    return await objectOf(env, key).fetch(request);
  } catch (error) {
    return answerProblem(error);
  }
}
