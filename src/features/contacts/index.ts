import type { Feature } from '../feature.ts';
import { computedAudiences } from './computed-audiences/index.ts';
import { subscriberGroups } from './subscriber-groups/index.ts';
import { subscribers } from './subscribers/index.ts';

/** Subscribers, their lists and audiences. */
export const contactsFeatures: readonly Feature[] = [subscriberGroups, subscribers, computedAudiences];
