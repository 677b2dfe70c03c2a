/** The functions, values and types that other areas use. */
export { forgetExports } from './index.ts';
