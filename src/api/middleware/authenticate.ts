import { createMiddleware } from 'hono/factory';
import { DomainError } from '../../world/errors.ts';
import { nowOf } from '../../world/world.ts';
import type { MerchantEnv } from '../context.ts';

/** Opens the World of the key that was sent. Refuses with 401 before it looks at anything else (`auth-failure`). */
export const authenticate = createMiddleware<MerchantEnv>((c, next) => {
  const { merchants } = c.env;
  const call = c.get('call');
  const merchant = merchants.authenticate(c.req.header('authorization'));
  if (!merchant) {
    call.requestId = merchants.nextAnonymousId();
    const { unauthenticated } = merchants.settings.messages;
    throw new DomainError('unauthenticated', [unauthenticated]);
  }
  const { world } = merchant;
  call.key = merchant.api_key;
  // Without a moment there is no call: it has no number then.
  call.startedAt = nowOf(world);
  call.merchant = merchant;
  call.requestId = merchants.nextRequestId(world);
  c.set('world', world);
  return next();
});
