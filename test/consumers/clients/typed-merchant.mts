import { createSandbox, sampleRequests } from 'micro-insurance-sandbox';

export const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
export const merchant = sandbox.createMerchant();

export const ada = sampleRequests.initiateMicroHealthSubscription;
