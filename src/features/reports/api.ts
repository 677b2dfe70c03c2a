/** The functions, values and types that other areas use. */
export { eraseExports } from './index.ts';
