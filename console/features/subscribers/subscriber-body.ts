import type { schemas } from '../../../sdk/src/index.ts';

/** Returns the body that stores a subscriber as it is. */
export function bodyOf(subscriber: schemas.Subscriber): schemas.SubscriberReplace {
  const { first_name, last_name, email, active, inactive_reason, audiences, lists } = subscriber;
  const { additional_fields_data, version } = subscriber;
  return {
    first_name,
    last_name,
    email,
    active,
    inactive_reason,
    audiences,
    lists,
    additional_fields_data,
    version,
  };
}
