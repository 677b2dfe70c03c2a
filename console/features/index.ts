import type { Feature } from '../feature.ts';
import { parts } from './parts/index.ts';

/** All features of the console, in the order of their navigation entries. */
export const FEATURES: readonly Feature[] = [parts];
