export { ADA, createShop } from './shop.cjs';
