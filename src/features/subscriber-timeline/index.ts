import type { TimelineSource } from '../../timeline/timeline-source.ts';
import type { Feature } from '../feature.ts';
import { historyTimeline } from './history.ts';
import { timelineRoutes } from './routes.ts';

/** Creates the feature for what these features know about a subscriber, and their own history. */
export function subscriberTimeline(sources: readonly TimelineSource[]): Feature {
  return { name: 'subscriber-timeline', routes: timelineRoutes([...sources, historyTimeline]) };
}
