import Type, { type Static } from 'typebox';

/** Largest number of groups, fields or choices in one body. */
export const MAX_ITEMS = 1000;

/** Ids of lists or audiences. */
export const GroupIds = Type.Array(Type.String(), { maxItems: MAX_ITEMS });

const FieldName = Type.String({ minLength: 1, maxLength: 100 });
const FIELD_VALUES = [Type.String(), Type.Number(), Type.Boolean()] as const;

/** Values of additional fields, by name. */
export const AdditionalData = Type.Record(FieldName, Type.Union([...FIELD_VALUES]), {
  title: 'AdditionalFieldValues',
  maxProperties: MAX_ITEMS,
  description: 'Strings, numbers or booleans by name.',
});

/** Changes of additional fields, by name. */
export const AdditionalChanges = Type.Record(FieldName, Type.Union([...FIELD_VALUES, Type.Null()]), {
  title: 'AdditionalFieldChanges',
  maxProperties: MAX_ITEMS,
  description: 'Strings, numbers or booleans by name; null removes a value.',
});

/** Choices of subscription types. */
export const SubscriptionUpdates = Type.Array(
  Type.Object(
    { subscription_type_id: Type.String(), subscribe: Type.Boolean() },
    { title: 'SubscriptionChange' },
  ),
  {
    title: 'SubscriptionChanges',
    maxItems: MAX_ITEMS,
    description: 'Types to subscribe to or unsubscribe from.',
  },
);
/** Subscription types that a subscriber subscribes to or unsubscribes from. */
export type SubscriptionUpdates = Static<typeof SubscriptionUpdates>;

const Ids = Type.Array(Type.String(), { maxItems: MAX_ITEMS });
const TypeId = Type.Optional(
  Type.String({ description: 'Count only subscribers of this subscription type.' }),
);

/** Request to count the subscribers of lists or audiences: a query by name, with its variables. */
export const SearchBody = Type.Object(
  {
    payload: Type.Union([
      Type.Object(
        {
          queryName: Type.Literal('getSubscribersCountByListIds'),
          vars: Type.Object(
            { listIds: Ids, activeSubscriptionTypeId: TypeId },
            { title: 'SearchByListsVars' },
          ),
        },
        { title: 'SearchByLists' },
      ),
      Type.Object(
        {
          queryName: Type.Literal('getSubscribersCountByAudienceIds'),
          vars: Type.Object(
            { audienceIds: Ids, activeSubscriptionTypeId: TypeId },
            { title: 'SearchByAudiencesVars' },
          ),
        },
        { title: 'SearchByAudiences' },
      ),
    ]),
  },
  { title: 'SubscriberSearch' },
);
/** A request to count subscribers: the name of a query, with its variables. */
export type SearchBody = Static<typeof SearchBody>;

const CountById = Type.Record(Type.String(), Type.Integer());

/** Number of subscribers by id of the list or audience. */
export const SearchReply = Type.Union(
  [
    Type.Object({ subscribersCountByListId: CountById }, { title: 'SubscriberCountsByList' }),
    Type.Object({ subscribersCountByAudienceId: CountById }, { title: 'SubscriberCountsByAudience' }),
  ],
  { title: 'SubscriberCounts' },
);
/** The counts that a search returns. */
export type SearchReply = Static<typeof SearchReply>;
