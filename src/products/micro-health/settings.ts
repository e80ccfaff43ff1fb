import { z } from '@hono/zod-openapi';
import { profileOption, type Settings } from '../../world/settings.ts';

/** The micro-health assumptions that have alternatives, and what this sandbox does. */
export interface MicroHealthSettings {
  /** `amount-check` */
  readonly amountCheck: 'exact' | 'ignore';
  /** `subscriptions-key` */
  readonly subscriptionsKey: 'object' | 'array';
}

export const SETTINGS: MicroHealthSettings = { amountCheck: 'exact', subscriptionsKey: 'object' };

const AMOUNT_CHECKS = ['exact', 'ignore'] as const;
const SUBSCRIPTIONS_KEYS = ['object', 'array'] as const;

/** Which of them a profile can set, and how. */
export const PROFILE_OPTIONS = {
  'amount-check': profileOption(
    AMOUNT_CHECKS,
    () => z.enum(AMOUNT_CHECKS),
    (settings: Settings & MicroHealthSettings) => settings.amountCheck,
    (settings, amountCheck) => ({ ...settings, amountCheck }),
  ),
  'subscriptions-key': profileOption(
    SUBSCRIPTIONS_KEYS,
    () => z.enum(SUBSCRIPTIONS_KEYS),
    (settings: Settings & MicroHealthSettings) => settings.subscriptionsKey,
    (settings, subscriptionsKey) => ({ ...settings, subscriptionsKey }),
  ),
};
