import { ExtensionPoint } from '../../../extension-point.ts';
import type { FindUsage } from '../../../resources/usage.ts';

/** Finders of all records that refer to a list or an audience, one for each kind. */
export const groupUsage = new ExtensionPoint<FindUsage>();
