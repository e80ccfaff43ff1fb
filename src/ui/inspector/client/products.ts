/* The products of the chosen World. */

import { useLayoutEffect, useState } from 'hono/jsx/dom';
import type { Product } from '../../../types/public.ts';
import { control } from './api.ts';
import { chosenMerchant, useStore } from './store.ts';

/** The products of the chosen World; empty until they are read. */
export function useProducts(): readonly Product[] {
  const merchant = useStore((state) => chosenMerchant(state)?.id);
  const [products, setProducts] = useState<readonly Product[]>([]);
  useLayoutEffect(() => {
    control<{ data: Product[] }>('products')
      .then(({ data }) => setProducts(data))
      // Then ids stand for names.
      .catch(() => {});
  }, [merchant]);
  return products;
}
