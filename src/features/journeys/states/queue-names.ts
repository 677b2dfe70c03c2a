/** Work queue of enrollments at steps other than HTTP calls: its name, table and view. */
export const JOURNEY_STEPS = {
  name: 'journey-steps',
  table: 'journey_states',
  view: 'journey_states_stepping',
};
/** Work queue of enrollments at HTTP calls, which may be slow. */
export const JOURNEY_CALLS = { name: 'journey-calls', table: 'journey_states', view: 'journey_states_calls' };
