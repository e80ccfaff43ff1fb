import { z } from '@hono/zod-openapi';
import { profileOption, type Settings } from '../../world/settings.ts';

/** The assumptions of micro-health that have alternatives, as this sandbox takes them. */
export interface MicroHealthSettings {
  /** `amount-check` */
  readonly amountCheck: 'exact' | 'ignore';
  /** `subscriptions-key` */
  readonly subscriptionsKey: 'object' | 'array';
}

export const SETTINGS: MicroHealthSettings = { amountCheck: 'exact', subscriptionsKey: 'object' };

const AMOUNT_CHECKS = ['exact', 'ignore'] as const;
const SUBSCRIPTIONS_KEYS = ['object', 'array'] as const;

/** What a profile can set of them. */
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
