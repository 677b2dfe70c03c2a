/** The functions, values and types that other areas use. */
export {
  compileFilters,
  findUnmetConditions,
  flatFiltersOf,
  readAudienceFilters,
} from './computed-audiences/index.ts';
export {
  areMembersCurrent,
  audienceNameOf,
  countMembers,
  findFailedAudiences,
  findRecipientGroupIssues,
  groupUsage,
  groupUses,
  listMemberships,
  lockVisibleGroups,
  signalQueue,
} from './subscriber-groups/index.ts';
export {
  additionalFields,
  findSubscriberByAddress,
  getSubscriber,
  isUnsubscribed,
  listSubscriptions,
  listUnsubscribedTypes,
  matchSubscribers,
  mergeSubscribers,
  preferencesUrl,
  type SubscriberMerge,
  signUps,
  subscriberErasure,
  subscriberLocks,
  undoUnsubscribe,
  unsubscribe,
} from './subscribers/index.ts';
