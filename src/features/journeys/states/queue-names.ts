/** Names of the work queue of states at ordinary steps. */
export const JOURNEY_STEPS = {
  name: 'journey-steps',
  table: 'journey_states',
  view: 'journey_states_stepping',
};
/** Names of the work queue of states at HTTP calls, which may be slow. */
export const JOURNEY_CALLS = { name: 'journey-calls', table: 'journey_states', view: 'journey_states_calls' };
