import { type CatalogueProduct, productOf } from '../catalogue.ts';
import type {
  MicroHealthListedSubscription,
  MicroHealthProduct,
  MicroHealthSubscriber,
  MicroHealthSubscription,
} from './schemas.ts';
import type { MicroHealthWorld } from './state.ts';

/** A subscription with its product. */
export function presentSubscription(
  world: MicroHealthWorld,
  subscription: MicroHealthListedSubscription,
): MicroHealthSubscription {
  const product = presentProduct(productOf(world, subscription.product_id));
  // Assigned rather than spread: a copy of so many fields is slow to make, and slower to write as JSON.
  return Object.assign({}, subscription, { product });
}

function presentProduct({
  family: _family,
  service_id: _service,
  product_class_id: _class,
  ...product
}: CatalogueProduct): MicroHealthProduct {
  return product;
}

/** How a listed subscriber is answered: as it is kept, its subscription in a list if a profile says so. */
export function subscriberPresenter({
  settings,
}: MicroHealthWorld): (subscriber: MicroHealthSubscriber) => MicroHealthSubscriber {
  if (settings.subscriptionsKey === 'object') return (subscriber) => subscriber;
  return (subscriber) => ({ ...subscriber, subscriptions: [subscriber.subscriptions] as never });
}
