/* The products of the chosen World with their prices, and the view that shows them. */

/** @jsxImportSource hono/jsx/dom */
import { useLayoutEffect, useState } from 'hono/jsx/dom';
import type { Product } from '../../../public.ts';
import { answerOf, control } from './api.ts';
import { ActButton, UserText } from './parts.tsx';
import { nairaText, type ProductTerms } from './policy.ts';
import { chosenMerchant, contract, useStore } from './store.ts';

/** A product as the page reads it: the fields of every family may be there. */
export type ShownProduct = ProductTerms & Pick<Product, 'family' | 'enabled'>;

/** The products of the chosen World; undefined until they are read. */
export function useProducts(): readonly ShownProduct[] | undefined {
  const key = useStore((state) => chosenMerchant(state)?.api_key);
  const revision = useStore((state) => state.revision);
  const [products, setProducts] = useState<readonly ShownProduct[] | undefined>(undefined);
  useLayoutEffect(() => {
    let isWanted = true;
    answerOf(control.products.$get())
      .then(({ data }) => isWanted && setProducts(data as ShownProduct[]))
      // Then ids stand for names.
      .catch(() => {});
    return () => {
      isWanted = false;
    };
  }, [key, revision]);
  return products;
}

interface CatalogueProps {
  /** Opens the form that buys a product. */
  onBuy: (product: ShownProduct) => void;
}

/** Every product with its prices, by family. */
export function Catalogue({ onBuy }: CatalogueProps) {
  const products = useProducts();
  if (!products) return <div class="catalogue" aria-busy="true" />;
  if (products.length === 0) return <p class="none muted">The catalogue has no products.</p>;
  return (
    <div class="catalogue">
      {contract.families.map(({ key, tag }) => {
        const own = products.filter(({ family }) => family === key);
        return own.length === 0 ? null : (
          <section key={key} aria-label={tag}>
            <h3>{tag}</h3>
            <ul class="cards">
              {own.map((product) => (
                <ProductCard key={String(product.id)} product={product} onBuy={onBuy} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function ProductCard({ product, onBuy }: CatalogueProps & { product: ShownProduct }) {
  const { id, name, enabled } = product;
  return (
    <li class="card product">
      <div class="section-head">
        <h4>
          <UserText text={name} />
          <small class="muted"> product_id {id}</small>
        </h4>
        {enabled ? (
          <ActButton onClick={() => onBuy(product)}>
            Buy…
            <span class="visually-hidden">
              {' '}
              <UserText text={name} />
            </span>
          </ActButton>
        ) : (
          <span class="pill ended">not sold</span>
        )}
      </div>
      <Prices product={product} />
    </li>
  );
}

const FREQUENCIES = ['monthly', 'quarterly', 'annually'];

function Prices({ product: { premiums, rate } }: { product: ProductTerms }) {
  if (typeof rate === 'number') {
    return <p>{Number((rate * 100).toFixed(4))} % of the value of the vehicle</p>;
  }
  if (!premiums?.length) return <p class="muted">No price in the catalogue.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">People</th>
          {FREQUENCIES.map((frequency) => (
            <th key={frequency} scope="col">
              {frequency}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {premiums.map((price) => (
          <tr key={String(price.users)}>
            <th scope="row">{price.users}</th>
            {FREQUENCIES.map((frequency) => (
              <td key={frequency}>{nairaText(price[frequency] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
