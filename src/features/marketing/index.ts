import type { Feature } from '../feature.ts';
import { campaigns } from './campaigns/index.ts';
import { marketingEvents } from './marketing-events/index.ts';

/** Campaigns and the events that sites report. */
export const marketingFeatures: readonly Feature[] = [campaigns, marketingEvents];
