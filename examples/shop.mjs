export { createShop } from './shop.cjs';
