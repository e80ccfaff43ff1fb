export { frontPageAsset } from './assets.ts';
export { frontPage } from './page.tsx';
