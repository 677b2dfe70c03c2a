import Type from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { INVALID_STATUS } from '../../../errors/platform-errors.ts';
import { defineActionType } from '../../../flows/action-type.ts';
import { getRecord } from '../../../resources/records.ts';

import { ALREADY_IN_JOURNEY } from '../errors.ts';
import { journeys } from '../resource.ts';
import { enrollSubscriber } from '../service.ts';

/** Errors of the API that this action reports as `state_id: null`. */
const ENTRY_REJECTIONS: ReadonlySet<string> = new Set([ALREADY_IN_JOURNEY.code, INVALID_STATUS.code]);

/** Action that enrolls a subscriber in a journey. */
export const triggerJourney = defineActionType({
  key: 'triggerJourney',
  name: 'Enter a journey',
  description:
    'Enrolls a subscriber in a journey. Result: `{state_id}`. `state_id` is null if the subscriber cannot enter: already in the journey, not allowed to re-enter by `re_entry`, or the subscriber or the journey is inactive.',
  params: Type.Object({
    journey_id: Type.String({ description: 'The id of the journey.' }),
    subscriber_id: Type.Optional(Type.String({ description: 'The id of the subscriber.' })),
    email: Type.Optional(
      Type.String({
        description: 'The email address of the subscriber. Give either `email` or `subscriber_id`.',
      }),
    ),
  }),
  check: ({ subscriber_id, email }) =>
    (subscriber_id === undefined) === (email === undefined)
      ? [{ field: 'subscriber_id', message: 'or email is required, but not both' }]
      : [],
  write: async ({ db, platform, now, actor }, { journey_id, ...subscriber }) => {
    const journey = await getRecord(db, journeys, journey_id);
    try {
      return { state_id: await enrollSubscriber({ db }, journey, subscriber, { platform, now, actor }) };
    } catch (error) {
      if (error instanceof AppError && ENTRY_REJECTIONS.has(error.code)) return { state_id: null };
      throw error;
    }
  },
  preview: async ({ db }, { journey_id }) => {
    await getRecord(db, journeys, journey_id);
    return { state_id: null };
  },
});
