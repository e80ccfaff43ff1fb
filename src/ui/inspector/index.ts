export { inspectorAsset } from './assets.ts';
export { inspectorPage } from './page.tsx';
