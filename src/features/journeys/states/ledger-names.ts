/** The ledgers of states: those that take steps, and those that are at a step which calls others, who may be slow. */
export const JOURNEY_STEPS = {
  name: 'journey-steps',
  table: 'journey_states',
  view: 'journey_states_stepping',
};
/** See `JOURNEY_STEPS`. */
export const JOURNEY_CALLS = { name: 'journey-calls', table: 'journey_states', view: 'journey_states_calls' };
